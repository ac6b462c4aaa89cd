import { createHash } from 'node:crypto'
import { access, readFile, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { EditorChange, EditorFacts } from '../contract/editor.ts'
import type { Editors } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { withoutKeys } from '../core/key-format.ts'
import { HOSTS, type Host } from './editor-hosts.ts'
import { merge, names } from './editor-merge.ts'
import { type Machine, readForeignText, replaceFile, thisMachine } from './files.ts'

/** A copy of a host's file from before the change, kept until it is put back. It may hold secrets of other servers. */
const Copy = z.object({
  file: z.string(),
  /** Base64; `null` where there was no file. */
  before: z.string().nullable(),
  /** SHA-256 of what we wrote, in hex. */
  after: z.string(),
  /** The mode of the file, which is its owner's alone while it holds a key. */
  mode: z.number()
})

/**
 * The files in which hosts keep their servers.
 *
 * @param data the data folder, for copies of what was there
 */
export function openEditors(data: string, machine: Machine = thisMachine()): Editors {
  const copyOf = (host: Host) => join(data, 'editors', `${host.id}.json`)

  async function facts(host: Host): Promise<EditorFacts> {
    const file = host.file(machine)
    const found = await access(dirname(file)).then(
      () => true,
      () => false
    )
    return { id: host.id, name: host.name, file, found, connected: found && (await mentions(host, file)) }
  }

  return {
    list: () => Promise.all(HOSTS.map(facts)),
    async connect(id, server, dryRun) {
      const host = hostNamed(id)
      const file = host.file(machine)
      const before = await readForeignText(file)
      const next = merge(host, before ?? '', host.entry(server))
      const mode = await modeOf(file)
      const holdsKey = server.env?.EARMARK_KEY !== undefined
      if (!dryRun) {
        // Where it named us already, undoing is to take us out all the same.
        const without = before !== undefined && names(host, before) ? merge(host, before, undefined) : before
        await keepCopy(copyOf(host), file, { before, without, next, mode })
        await write(file, next, holdsKey ? mode & 0o700 : mode)
      }
      const madePrivate = (holdsKey && (mode & 0o077) > 0) || undefined
      return { ...shown(file, before ?? '', next), holdsKey: holdsKey || undefined, madePrivate }
    },
    async disconnect(id, dryRun) {
      const host = hostNamed(id)
      const file = host.file(machine)
      const now = await readForeignText(file)
      if (now === undefined) throw notConnected(host)
      const copy = await readCopy(copyOf(host))
      const ours = copy?.file === file && copy.after === hashOf(now)
      if (!ours && !names(host, now)) throw notConnected(host)
      const back = ours
        ? copy.before && Buffer.from(copy.before, 'base64').toString('utf8')
        : // Somebody changed the file since: only our entry goes.
          merge(host, now, undefined)
      if (!dryRun) {
        if (back === null) await rm(await realpath(file))
        else await write(file, back, ours ? copy.mode : await modeOf(file))
        await rm(copyOf(host), { force: true })
      }
      return shown(file, now, back ?? '')
    }
  }
}

function hostNamed(id: string): Host {
  const host = HOSTS.find((one) => one.id === id)
  if (host) return host
  throw new Problem('not-found', `There is no editor ${id}. Known: ${HOSTS.map((one) => one.id).join(', ')}`)
}

function notConnected({ name }: Host): Problem {
  return new Problem('not-found', `${name} is not connected: its file does not name Earmark.`)
}

/** Whether a host's file names Earmark. One that cannot be read, or that somebody else is to mend, does not. */
async function mentions(host: Host, file: string): Promise<boolean> {
  try {
    return names(host, (await readForeignText(file)) ?? '')
  } catch {
    return false
  }
}

/** The mode of a file, or what a new one gets. */
async function modeOf(file: string): Promise<number> {
  const facts = await stat(file).catch(() => undefined)
  return facts ? facts.mode & 0o777 : 0o600
}

interface Versions {
  before: string | undefined
  /** As before, without us. */
  without: string | undefined
  next: string
  mode: number
}

/** Connecting twice keeps the first copy, unless the file was changed in between. */
async function keepCopy(path: string, file: string, { before, without, next, mode }: Versions): Promise<void> {
  const older = await readCopy(path)
  const again = older?.file === file && before !== undefined && older.after === hashOf(before)
  const kept = again ? older.before : without === undefined ? null : Buffer.from(without).toString('base64')
  const copy = { file, before: kept, after: hashOf(next), mode: again ? older.mode : mode } satisfies z.infer<
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

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function shown(file: string, before: string, after: string): EditorChange {
  return { file, change: changedLines(before, after).map(withoutKeys) }
}

/** The lines between the first and the last that differ: those that go after `- `, those that come after `+ `. */
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
