import type { LinkRound } from '../../contract/link-check.ts'
import type { Ports } from '../ports.ts'

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
