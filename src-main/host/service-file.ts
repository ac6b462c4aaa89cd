import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../integrations/files.ts'

/**
 * The content of the service file, with which the command line connects to the running service. Only the owner can read
 * the file. It names its folder, so that a copy of the folder is recognized.
 */
export interface ServiceFacts {
  url: string
  token: string
  pid: number
  folder?: string | undefined
}

const nameIn = (folder: string) => join(folder, 'service.json')

/** Interval of attempts on a full disk, in ms. */
const RETRY_MS = 5000

/**
 * Writes the service file. On a full disk the service runs without it, commands do not find the service, and the file
 * is written when there is space again.
 *
 * @returns whether the file is written, and a function that removes it
 */
export async function writeServiceFile(
  folder: string,
  facts: Omit<ServiceFacts, 'folder'>,
  retryMs = RETRY_MS
): Promise<{ written: boolean; end(): void }> {
  const text = JSON.stringify({ ...facts, folder: realpathSync(folder) })
  const attempt = async (): Promise<boolean> => {
    try {
      await replaceFile(nameIn(folder), text, 0o600)
      return true
    } catch (error) {
      if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      return false
    }
  }
  const written = await attempt()
  const timer = written
    ? undefined
    : setInterval(async () => (await attempt()) && clearInterval(timer), retryMs).unref()
  return {
    written,
    end() {
      clearInterval(timer)
      removeServiceFile(folder)
    }
  }
}

/**
 * Reads the service file. Returns `undefined` if there is no file, or if its process has ended. Only the library's lock,
 * or an answer of the service, proves that the service runs.
 */
export function readServiceFile(folder: string): ServiceFacts | undefined {
  try {
    const facts = parseFacts(readFileSync(nameIn(folder), 'utf8'))
    process.kill(facts.pid, 0) // throws if there is no such process
    return facts
  } catch {
    return undefined
  }
}

/** Uses no schema, because loading zod takes longer than the rest of a command. @throws if the text is invalid */
function parseFacts(text: string): ServiceFacts {
  const { url, token, pid, folder } = JSON.parse(text) as Record<keyof ServiceFacts, unknown>
  const isValid = typeof url === 'string' && typeof token === 'string' && typeof pid === 'number'
  if (!isValid || (folder !== undefined && typeof folder !== 'string')) throw new Error('This is no service file.')
  return { url, token, pid, folder }
}

export function removeServiceFile(folder: string): void {
  rmSync(nameIn(folder), { force: true, recursive: true })
}
