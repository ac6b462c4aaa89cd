import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { EditorChange, EditorFacts } from '../contract/editor.ts'
import type { Editors } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { changedLines } from './changed-lines.ts'
import { HOSTS, type Host, type Machine } from './hosts.ts'
import { merge, names } from './merge.ts'

/** What a host's file was before, kept until it is put back. It may hold secrets of other servers. */
const Copy = z.object({
  file: z.string(),
  /** Base64; `null` where there was no file. */
  before: z.string().nullable(),
  /** SHA-256 of what we wrote, in hex. */
  after: z.string()
})

/**
 * The files in which hosts keep their servers.
 *
 * @param data the data folder, for copies of what was there
 */
export function openEditors(data: string, machine: Machine = thisMachine()): Editors {
  const copyOf = (host: Host) => join(data, 'editors', `${host.id}.json`)

  function facts(host: Host): EditorFacts {
    const file = host.file(machine)
    const connected = existsSync(file) && mentions(host, readFileSync(file, 'utf8'))
    return { id: host.id, name: host.name, file, found: existsSync(dirname(file)), connected }
  }

  return {
    list: () => HOSTS.map(facts),
    connect(id, server, dryRun) {
      const host = hostNamed(id)
      const file = host.file(machine)
      const before = existsSync(file) ? readFileSync(file) : undefined
      const text = before?.toString('utf8') ?? ''
      const next = merge(host, text, host.entry(server))
      if (!dryRun) {
        keepCopy(copyOf(host), file, before, next)
        write(file, Buffer.from(next))
      }
      return shown(file, text, next)
    },
    disconnect(id, dryRun) {
      const host = hostNamed(id)
      const file = host.file(machine)
      if (!existsSync(file)) throw notConnected(host)
      const now = readFileSync(file)
      const copy = readCopy(copyOf(host))
      const ours = copy?.file === file && copy.after === hashOf(now)
      if (!ours && !names(host, now.toString('utf8'))) throw notConnected(host)
      const back = ours ? copy.before && Buffer.from(copy.before, 'base64') : undone(host, now)
      if (!dryRun) {
        if (back === null) rmSync(realpathSync(file))
        else write(file, Buffer.from(back))
        rmSync(copyOf(host), { force: true })
      }
      return shown(file, now.toString('utf8'), back?.toString('utf8') ?? '')
    }
  }
}

function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), env: process.env }
}

function hostNamed(id: string): Host {
  const host = HOSTS.find((one) => one.id === id)
  if (host) return host
  throw new Problem('not-found', `There is no editor ${id}. Known: ${HOSTS.map((one) => one.id).join(', ')}`)
}

function notConnected({ name }: Host): Problem {
  return new Problem('not-found', `${name} is not connected: its file does not name Earmark.`)
}

/** A file that somebody else is to mend names nobody. */
function mentions(host: Host, text: string): boolean {
  try {
    return names(host, text)
  } catch {
    return false
  }
}

/** Somebody changed the file since: only our entry goes. */
function undone(host: Host, now: Buffer): Buffer {
  return Buffer.from(merge(host, now.toString('utf8'), undefined))
}

/** Connecting twice keeps the first copy, which is the one without us. */
function keepCopy(path: string, file: string, before: Buffer | undefined, next: string): void {
  const older = readCopy(path)
  const again = older?.file === file && before !== undefined && older.after === hashOf(before)
  const kept = again ? older.before : (before?.toString('base64') ?? null)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const copy = { file, before: kept, after: hashOf(Buffer.from(next)) } satisfies z.infer<typeof Copy>
  writeFileSync(path, JSON.stringify(copy), { mode: 0o600 })
}

function readCopy(path: string): z.infer<typeof Copy> | undefined {
  try {
    return Copy.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

/** Whole or not at all, where a link leads, with the mode it has. */
function write(file: string, bytes: Buffer): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    const target = existsSync(file) ? realpathSync(file) : file
    const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? 0o600
    const draft = `${target}.earmark-new`
    writeFileSync(draft, bytes, { mode: 0o600 })
    // The process makes its own files for their owner alone, whatever mode they are made with.
    chmodSync(draft, mode & 0o777)
    renameSync(draft, target)
  } catch {
    throw new Problem('forbidden', `${file} cannot be written. Nothing was changed.`)
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function shown(file: string, before: string, after: string): EditorChange {
  return { file, change: changedLines(before, after) }
}
