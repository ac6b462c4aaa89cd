import { z } from 'zod'
import { LIMITS } from './bookmark.ts'
import { LANGUAGE_CHOICES } from './languages.ts'

/** Lower ports need special rights. */
const MIN_PORT = 1024
const MAX_PORT = 65_535

/** Ports from `MIN_PORT` that browsers refuse to open: fetch.spec.whatwg.org, "bad port". */
const BLOCKED_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080
]

/** Maximum number of files that are imported again whenever they change. */
export const MAX_WATCHED_FILES = 20

const fields = {
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(LANGUAGE_CHOICES),
  /** The visibility of the profile’s new bookmarks. Not `organization`, which would also need an organization. */
  defaultVisibility: z.enum(['private', 'public']),
  /** Whether the pages of bookmarks are fetched from their sites. */
  fetchDetails: z.boolean(),
  /** Whether a click on a title opens the stored text of the page, if there is one, instead of the page. */
  readFirst: z.boolean(),
  /** The port that the service uses from its next start; `null` is the default port. */
  port: z
    .int('A port is a whole number.')
    .min(MIN_PORT, `Choose a port from ${MIN_PORT}.`)
    .max(MAX_PORT, `Choose a port up to ${MAX_PORT}.`)
    .refine((port) => !BLOCKED_PORTS.includes(port), 'Browsers refuse to open this port. Choose another.')
    .nullable(),
  /** Maximum size of all copies of pages together, in GB. */
  copyLimit: z.literal([1, 2, 5, 10, 50]),
  /** The folder to which each backup is copied; `null` for none. */
  backupFolder: z.string().trim().min(1, 'Enter the full path of a folder.').max(4096).nullable(),
  /** The folder in which Earmark keeps a current Markdown file for each bookmark; `null` for none. */
  markdownFolder: z.string().trim().min(1, 'Enter the full path of a folder.').max(4096).nullable(),
  /** The sidebar’s pins, in order: `search:ID`, `organization:ID`, `tag:NAME`. */
  pins: z
    .array(
      z
        .string()
        .min(1)
        .max(LIMITS.tag + 'tag:'.length)
    )
    .max(100, 'There are 100 pins already. Unpin something first.')
}

/** The settings in the library. A setting that is missing, or that this version does not allow, has its default. */
export const Settings = z.object({
  theme: fields.theme.catch('system'),
  language: fields.language.catch('system'),
  defaultVisibility: fields.defaultVisibility.catch('private'),
  fetchDetails: fields.fetchDetails.catch(true),
  readFirst: fields.readFirst.catch(false),
  port: fields.port.catch(null),
  copyLimit: fields.copyLimit.catch(2),
  backupFolder: fields.backupFolder.catch(null),
  markdownFolder: fields.markdownFolder.catch(null),
  /** Full paths of the files that are imported again whenever they change. */
  watchedFiles: z.array(z.string().min(1).max(4096)).max(MAX_WATCHED_FILES).catch([]),
  pins: fields.pins.catch([])
})
export type Settings = z.infer<typeof Settings>

export const SettingsChange = z.strictObject(fields).partial()

/** Observations of the machine’s clock. Times are milliseconds since 1970. */
export const ClockNote = z.object({
  /** The newest trusted time. */
  known: z.number(),
  /** When the clock was first far ahead of the newest trusted time. */
  leapt: z.number().nullable()
})
export type ClockNote = z.infer<typeof ClockNote>
