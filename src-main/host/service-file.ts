import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * How the command line finds and enters the running service. The file is 0600: whoever reads it is the owner. It names
 * the folder it is in, which a copy of the folder is not.
 */
export interface ServiceFacts {
  url: string
  token: string
  pid: number
  folder?: string | undefined
}

const nameIn = (folder: string) => join(folder, 'service.json')

/** Appears whole or not at all. */
function writeServiceFile(folder: string, facts: Omit<ServiceFacts, 'folder'>): void {
  const draft = `${nameIn(folder)}.new`
  writeFileSync(draft, JSON.stringify({ ...facts, folder: realpathSync(folder) }), { mode: 0o600 })
  renameSync(draft, nameIn(folder))
}

/** Between two attempts on a full disk, in milliseconds. */
const AGAIN_MS = 5000

/**
 * Leaves the file, and where the disk is full as soon as it is not: the service serves all the same, and only commands
 * do not find it.
 *
 * @param again between two attempts, in milliseconds
 * @returns takes it away again; and whether it is there
 */
export function leaveServiceFile(
  folder: string,
  facts: Omit<ServiceFacts, 'folder'>,
  again = AGAIN_MS
): { left: boolean; end(): void } {
  const attempt = (): boolean => {
    try {
      writeServiceFile(folder, facts)
      return true
    } catch (error) {
      rmSync(`${nameIn(folder)}.new`, { force: true })
      if (!isFull(error)) throw error
      return false
    }
  }
  const left = attempt()
  const timer = left ? undefined : setInterval(() => attempt() && clearInterval(timer), again).unref()
  return {
    left,
    end() {
      clearInterval(timer)
      removeServiceFile(folder)
    }
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * `undefined` when no service left one, or the one that did is gone. Only the library's lock, or its own answer, proves
 * that it serves.
 */
export function readServiceFile(folder: string): ServiceFacts | undefined {
  try {
    const facts = factsIn(readFileSync(nameIn(folder), 'utf8'))
    process.kill(facts.pid, 0) // throws when there is no such process
    return facts
  } catch {
    return undefined
  }
}

/**
 * Read by hand: schemas take longer to load than the rest of a command.
 *
 * @throws where the text is none of ours
 */
function factsIn(text: string): ServiceFacts {
  const { url, token, pid, folder } = JSON.parse(text) as Record<keyof ServiceFacts, unknown>
  const isOurs = typeof url === 'string' && typeof token === 'string' && typeof pid === 'number'
  if (!isOurs || (folder !== undefined && typeof folder !== 'string')) throw new Error('This is no service file.')
  return { url, token, pid, folder }
}

export function removeServiceFile(folder: string): void {
  rmSync(nameIn(folder), { force: true, recursive: true })
}
