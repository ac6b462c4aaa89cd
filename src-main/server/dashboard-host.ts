import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../integrations/files.ts'

/**
 * The name of this machine under which browsers find the dashboard: 128 random bits below `localhost`, which resolves to
 * this machine alone (RFC 6761, section 6.3). Cookies ignore ports, so only a name that nobody else can guess keeps the
 * session's from the programs on other ports. It stays the same for a data folder, where the browser keeps what is
 * the dashboard's by its address; where the disk takes no file, it lasts for this run.
 *
 * @param folder the data folder
 */
export async function dashboardHostIn(folder: string): Promise<string> {
  const file = join(folder, 'dashboard-host')
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (/^[\da-f]{32}\.localhost$/.test(kept)) return kept
  const made = `${randomBytes(16).toString('hex')}.localhost`
  await replaceFile(file, made, 0o600).catch(() => {})
  return made
}
