import type { ExportChoice } from '../../contract/library-export.ts'
import type { LinkRound } from '../../contract/link-check.ts'
import { Problem } from '../../contract/problem.ts'
import type { Ports } from '../ports.ts'

/**
 * Begins to check links: of these bookmarks, or of all that words and filters let through. It goes on in the background.
 *
 * @throws Problem `invalid` where nothing is fetched; `taken` while the owner's own check is under way
 */
export async function beginLinkCheck(ports: Ports, wanted: { ids: string[] } | ExportChoice): Promise<LinkRound> {
  const { library, web, now } = ports
  if (!web)
    throw new Problem(
      'invalid',
      'Earmark was started with --no-fetch, so it cannot check links. Start it without that option.'
    )
  if (!(await library.readSettings()).fetchDetails) {
    throw new Problem('invalid', 'Links are not checked while fetching page details is switched off in Settings.')
  }
  if ('ids' in wanted) return library.beginLinkRound({ asked: true, ids: wanted.ids }, now())
  return library.beginLinkRound({ asked: true, choice: JSON.stringify(wanted) }, now())
}

/** Some of the bookmarks that a round is yet to take in, and how far its choice was gone through with them. */
export async function chosenLinks(
  { library }: Ports,
  { choice, after }: NonNullable<LinkRound['left']>
): Promise<{ ids: string[]; after: number | null }> {
  const chosen = JSON.parse(choice) as ExportChoice
  const { bookmarks, next } = await library.exportBookmarks({ ...chosen, trash: 'without', after })
  return { ids: bookmarks.filter(({ url }) => url !== null).map(({ id }) => id), after: next }
}

/** How it stands with the last round of link checks; `null` before the first. */
export interface LinkCheckStatus {
  round: (Omit<LinkRound, 'left'> & { counting: boolean }) | null
  /** Why it does not go on, where it does not. */
  paused: 'off' | 'offline' | null
}

export async function linkCheckStatus({ library, web }: Ports): Promise<LinkCheckStatus> {
  const round = await library.linkRound()
  const on = web !== undefined && (await library.readSettings()).fetchDetails
  return { round: round ? shown(round) : null, paused: on ? (web.isConnected() ? null : 'offline') : 'off' }
}

function shown({ left, ...round }: LinkRound): LinkCheckStatus['round'] {
  return { ...round, counting: left !== null }
}
