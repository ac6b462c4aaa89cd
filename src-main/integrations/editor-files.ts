import { createHash } from 'node:crypto'
import { readFile, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { z } from 'zod'
import type { EditorChange, EditorFacts } from '../contract/editor.ts'
import type { Editors } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { withoutKeys } from '../core/key-format.ts'
import { merge, namesEarmark } from './editor-merge.ts'
import { currentFile, HOSTS, type Host, isInstalled } from './editors.ts'
import { type Machine, readForeignText, replaceFile, thisMachine } from './files.ts'

/** A copy of a host's file as it was before the change, for undo. It may contain secrets of other servers. */
const Copy = z.object({
  file: z.string(),
  /** Base64; `null` if there was no file. */
  before: z.string().nullable(),
  /** SHA-256 of the file after the change, in hex. */
  after: z.string(),
  /** The mode of the file before the change, which is private while the file contains a key. */
  mode: z.number()
})

/**
 * Opens the files in which MCP hosts store their servers.
 *
 * @param data the data folder, for copies of the files before a change
 */
export function openEditors(data: string, machine: Machine = thisMachine()): Editors {
  const copyOf = (host: Host) => join(data, 'editors', `${host.id}.json`)

  async function facts(host: Host): Promise<EditorFacts> {
    const file = currentFile(host, machine)
    const found = isInstalled(host, machine)
    return { id: host.id, name: host.name, file, found, connected: await isConnected(host, file) }
  }

  /** Returns the file that names Earmark, which an older version of the host may have read. */
  async function connectedFile(host: Host): Promise<string> {
    const current = currentFile(host, machine)
    for (const file of [current, ...host.places(machine).map(({ file }) => file)])
      if (await isConnected(host, file)) return file
    return current
  }

  return {
    list: () => Promise.all(HOSTS.map(facts)),
    async connect(id, server, dryRun) {
      const host = hostNamed(id)
      const file = currentFile(host, machine)
      const missing = !isInstalled(host, machine) || undefined
      const before = await readForeignText(file)
      const next = merge(host, before ?? '', host.entry(server))
      const mode = await modeOf(file)
      const holdsKey = server.env?.EARMARK_KEY !== undefined
      if (!dryRun) {
        // If the file names Earmark already, undo must also remove that entry.
        const without = before !== undefined && namesEarmark(host, before) ? merge(host, before, undefined) : before
        await storeCopy(copyOf(host), file, { before, without, next, mode })
        await write(file, next, holdsKey ? mode & 0o700 : mode)
      }
      const madePrivate = (holdsKey && (mode & 0o077) > 0) || undefined
      return { ...describeChange(file, before ?? '', next), missing, holdsKey: holdsKey || undefined, madePrivate }
    },
    async disconnect(id, dryRun) {
      const host = hostNamed(id)
      const file = await connectedFile(host)
      const text = await readForeignText(file)
      if (text === undefined) throw notConnected(host)
      const copy = await readCopy(copyOf(host))
      const unchanged = copy?.file === file && copy.after === hashOf(text)
      if (!unchanged && !namesEarmark(host, text)) throw notConnected(host)
      const back = unchanged
        ? copy.before && Buffer.from(copy.before, 'base64').toString('utf8')
        : // the file was changed since then, so only Earmark's entry is removed
          merge(host, text, undefined)
      if (!dryRun) {
        if (back === null) await removeFile(file, machine.home)
        else await write(file, back, unchanged ? copy.mode : await modeOf(file))
        await rm(copyOf(host), { force: true })
      }
      return describeChange(file, text, back ?? '')
    }
  }
}

function hostNamed(id: string): Host {
  const host = HOSTS.find((host) => host.id === id)
  if (host) return host
  throw new Problem('not-found', `There is no editor ${id}. Known: ${HOSTS.map((host) => host.id).join(', ')}`)
}

function notConnected({ name }: Host): Problem {
  return new Problem('not-found', `${name} is not connected: its file does not name Earmark.`)
}

/** Whether a host's file names Earmark. Returns false if the file cannot be read or is invalid. */
async function isConnected(host: Host, file: string): Promise<boolean> {
  try {
    return namesEarmark(host, (await readForeignText(file)) ?? '')
  } catch {
    return false
  }
}

/** Returns the mode of a file, or the mode for a new file. */
async function modeOf(file: string): Promise<number> {
  const facts = await stat(file).catch(() => undefined)
  return facts ? facts.mode & 0o777 : 0o600
}

interface Versions {
  before: string | undefined
  /** The file before the change, without Earmark's entry. */
  without: string | undefined
  next: string
  mode: number
}

/** Stores a copy for undo. If the host was connected already, and its file is unchanged, the first copy stays. */
async function storeCopy(path: string, file: string, { before, without, next, mode }: Versions): Promise<void> {
  const older = await readCopy(path)
  const again = older?.file === file && before !== undefined && older.after === hashOf(before)
  const original = again ? older.before : without === undefined ? null : Buffer.from(without).toString('base64')
  const copy = { file, before: original, after: hashOf(next), mode: again ? older.mode : mode } satisfies z.infer<
    typeof Copy
  >
  await replaceFile(path, JSON.stringify(copy), 0o600).catch(() => {
    throw new Problem(
      'forbidden',
      `Earmark cannot write ${path}, the copy of ${file} that it keeps. Nothing was changed.`
    )
  })
}

async function readCopy(path: string): Promise<z.infer<typeof Copy> | undefined> {
  try {
    return Copy.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
}

async function write(file: string, text: string, mode: number): Promise<void> {
  try {
    await replaceFile(file, text, mode)
  } catch {
    throw new Problem('forbidden', `${file} cannot be written. Nothing was changed.`)
  }
}

/** Removes a file, and then the empty folders around it, up to the home folder. */
async function removeFile(file: string, home: string): Promise<void> {
  await rm(await realpath(file))
  let folder = dirname(file)
  while (
    folder.startsWith(home + sep) &&
    (await rmdir(folder).then(
      () => true,
      () => false
    ))
  )
    folder = dirname(folder)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function describeChange(file: string, before: string, after: string): EditorChange {
  return { file, change: changedLines(before, after).map(withoutKeys) }
}

/** Returns the lines from the first to the last difference: removed lines after `- `, added lines after `+ `. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let same = 0
  while (same < old.length && same < now.length && old[same] === now[same]) same++
  let alike = 0
  while (alike < old.length - same && alike < now.length - same && old.at(-1 - alike) === now.at(-1 - alike)) alike++
  const between = (lines: string[], sign: string) =>
    lines.slice(same, lines.length - alike).map((line) => `${sign} ${line.replace(/\r$/, '')}`)
  return [...between(old, '-'), ...between(now, '+')]
}
