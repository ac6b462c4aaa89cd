import { Problem } from '../../contract/problem.ts'
import type { Ports } from '../ports.ts'

/** A version and nothing else, as `latest.txt` of the project’s site has it (`packaging/release-files.ts`). */
const VERSION = /^\d+\.\d+\.\d+$/

/**
 * Asks the project’s site for the newest version. Only the owner asks, with a button: Earmark does so never by itself.
 *
 * @param site the address of the project’s site, which ends with a slash
 * @returns the newest version, and whether it is newer than this one
 * @throws Problem `service-unreachable` if it cannot be learned, `forbidden` if nothing may be fetched
 */
export async function findNewestVersion({ web }: Ports, version: string, site: string): Promise<NewestVersion> {
  const look = `You find the newest version at ${site}.`
  if (!web)
    throw new Problem(
      'forbidden',
      `Earmark was started with --no-fetch, so it does not connect to other computers. ${look}`
    )
  if (!web.isConnected()) {
    throw new Problem('service-unreachable', 'This computer has no network connection. Connect it, and try again.')
  }
  const reading = await web.readPage(new URL('latest.txt', site).href, new AbortController().signal)
  const newest = 'details' in reading ? reading.details.text.trim() : ''
  if (!VERSION.test(newest)) {
    throw new Problem('service-unreachable', `Earmark could not read the newest version. Try again later. ${look}`)
  }
  return { newest, isNewer: newest.localeCompare(version, 'en', { numeric: true }) > 0, site }
}

interface NewestVersion {
  newest: string
  isNewer: boolean
  /** Where it can be downloaded. */
  site: string
}
