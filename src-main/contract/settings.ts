import { z } from 'zod'
import { LIMITS } from './bookmark.ts'

/** From here up a program needs no special rights to listen. */
const LEAST_PORT = 1024
const MOST_PORT = 65_535

/** Ports that browsers refuse to open, from fetch.spec.whatwg.org (bad port), as far as a program may take them. */
const BLOCKED_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080
]

const Port = z
  .int('A port is a whole number.')
  .min(LEAST_PORT, `Choose a port from ${LEAST_PORT}.`)
  .max(MOST_PORT, `Choose a port up to ${MOST_PORT}.`)
  .refine((port) => !BLOCKED_PORTS.includes(port), 'Browsers refuse to open this port. Choose another.')

const Folder = z.string().trim().min(1, 'Enter the full path of a folder.').max(4096)

const Theme = z.enum(['system', 'light', 'dark'])

/** `organization` is not offered: it needs one to belong to. */
const DefaultVisibility = z.enum(['private', 'public'])

/** The pins of the dashboard's sidebar, in order: `search:ID`, `organization:ID`, `tag:NAME`. */
const Pins = z
  .array(
    z
      .string()
      .min(1)
      .max(LIMITS.tag + 'tag:'.length)
  )
  .max(100, 'There are 100 pins already. Unpin something first.')

/** The owner's choices, kept in the library. One that is missing, or that this version does not allow, has its default. */
export const Settings = z.object({
  theme: Theme.catch('system'),
  /** The visibility of the profile's new bookmarks. */
  defaultVisibility: DefaultVisibility.catch('private'),
  /** Whether titles and descriptions of saved pages are fetched from their sites. */
  fetchDetails: z.boolean().catch(true),
  /** Where the service listens from its next start; `null` is the usual one. */
  port: Port.nullable().catch(null),
  /** Where each backup is copied to, beside the data folder's own. */
  backupFolder: Folder.nullable().catch(null),
  /** Whole paths of the files that are imported again whenever they change. */
  watchedFiles: z.array(z.string().min(1).max(4096)).max(20).catch([]),
  pins: Pins.catch([])
})
export type Settings = z.infer<typeof Settings>

/** Body of a request that changes some settings. */
export const SettingsChange = z.strictObject({
  theme: Theme.exactOptional(),
  defaultVisibility: DefaultVisibility.exactOptional(),
  fetchDetails: z.boolean().exactOptional(),
  port: Port.nullable().exactOptional(),
  backupFolder: Folder.nullable().exactOptional(),
  pins: Pins.exactOptional()
})

/** The machine's clock as the library last saw it. Times are milliseconds since 1970. */
export const ClockNote = z.object({
  /** The newest time that is believed. */
  known: z.number(),
  /** When the clock was first seen far ahead of that. */
  leapt: z.number().nullable()
})
export type ClockNote = z.infer<typeof ClockNote>
