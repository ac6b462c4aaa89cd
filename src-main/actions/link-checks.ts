import type { Changes } from '../contract/change.ts'
import type { ExportChoice } from '../contract/library-export.ts'
import type { DueLink, LinkFault, LinkReading, LinkRound } from '../contract/link-check.ts'
import type { Web } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { AGAIN_MS, judgeLink } from '../core/judge-link.ts'
import type { Background } from './background/background-worker.ts'
import { type SiteWorker, siteWorker } from './background/site-worker.ts'
import type { Ports } from './ports.ts'

/**
 * Begins to check links in the background: those of these bookmarks, or of all that match words and filters.
 *
 * @throws Problem `invalid` if fetching is off; `taken` while another check of the owner’s is running
 */
export async function beginLinkCheck(ports: Ports, choice: { ids: string[] } | ExportChoice): Promise<LinkRound> {
  const { library, web, now } = ports
  if (!web)
    throw new Problem(
      'invalid',
      'Earmark was started with --no-fetch, so it cannot check links. Start it without that option.'
    )
  if (!(await library.readSettings()).fetchDetails) {
    throw new Problem('invalid', 'Links are not checked while fetching page details is switched off in Settings.')
  }
  if ('ids' in choice) return library.beginLinkRound({ asked: true, ids: choice.ids }, now())
  return library.beginLinkRound({ asked: true, choice: JSON.stringify(choice) }, now())
}

export interface LinkCheckStatus {
  /** The last round; `null` before the first. */
  round: (Omit<LinkRound, 'left'> & { counting: boolean }) | null
  /** Why it does not continue. */
  paused: 'off' | 'offline' | null
}

export async function linkCheckStatus({ library, web }: Ports): Promise<LinkCheckStatus> {
  const last = await library.linkRound()
  const isOn = web !== undefined && (await library.readSettings()).fetchDetails
  const paused = isOn ? (web.isConnected() ? null : 'offline') : 'off'
  if (!last) return { round: null, paused }
  const { left, ...round } = last
  return { round: { ...round, counting: left !== null }, paused }
}

const DAY_MS = 86_400_000

/** Interval of automatic checks of a link. */
const INTERVAL_MS = 30 * DAY_MS

/** Automatic checks begin if nothing was saved and no page read for this time. */
const IDLE_MS = 600_000

/** If no site has answered for this time, the network may be missing. */
const SILENT_MS = 60_000

/** Faults of a site that does not exist, and of a missing network. */
const SILENT: LinkFault[] = ['no-host', 'unreachable', 'slow']

/** Checks links in the background: those that the owner asked for, and automatically each link about once a month. */
export function createLinkChecks(
  ports: Ports & { web: Web },
  changes: Changes,
  onError: (error: unknown) => void
): Background {
  const { library, web, now } = ports
  const worker: SiteWorker = siteWorker(ports, changes, onError, {
    prepare,
    due: (except) => library.dueLink(now(), except),
    work: check,
    async onNothingDue() {
      if (round) await library.endLinkRound(now(), false)
    },
    wakesOn({ kind }) {
      if (kind === 'bookmarks' || kind === 'details') busyAt = now()
      return kind === 'links'
    }
  })
  const { sites } = worker
  let round: LinkRound | undefined
  let busyAt = now()

  async function prepare(): Promise<void> {
    while (!worker.isClosed() && (await library.sweepLinks()));
    round = await currentRound()
    if (round?.left) {
      await addLinks(round, round.left)
      worker.wake()
    }
  }

  async function currentRound(): Promise<LinkRound | undefined> {
    const last = await library.linkRound()
    if (last?.endedAt === null) return last
    if (now() - busyAt < IDLE_MS || !web.isConnected()) return undefined
    const before = await library.lastRoundByItself()
    if (before && now() - before.beganAt < DAY_MS) return undefined
    if ((await library.duePage(now(), [])) !== undefined) return undefined
    return library.beginLinkRound({ asked: false }, now())
  }

  /** Adds some of the links of its choice to a round. */
  async function addLinks({ id, asked }: LinkRound, left: NonNullable<LinkRound['left']>): Promise<void> {
    if (!asked) return library.takeInOldLinks(id, now() - INTERVAL_MS, now())
    const choice = JSON.parse(left.choice) as ExportChoice
    const { bookmarks, next } = await library.exportBookmarks({ ...choice, trash: 'without', after: left.after })
    const ids = bookmarks.filter(({ url }) => url !== null).map(({ id }) => id)
    await library.takeInLinks(id, ids, next, now())
  }

  async function check(link: DueLink, signal: AbortSignal): Promise<void> {
    const reading = await request(link.url, signal)
    if (!reading) return
    sites.note(link.domain, reading)
    if (await isNetworkMissing(link, reading, signal)) {
      worker.pause()
      return
    }
    if (signal.aborted) return
    const time = now()
    const verdict = judgeLink(link.url, link.before, reading, time)
    await library.saveLink(link, verdict, verdict.state === 'failing' ? time + AGAIN_MS : null, time)
  }

  /** Returns `undefined` if the request is aborted. */
  async function request(url: string, signal: AbortSignal): Promise<LinkReading | undefined> {
    try {
      return await web.checkLink(url, signal)
    } catch (error) {
      if (signal.aborted) return undefined
      onError(error)
      return { fault: 'unreadable' }
    }
  }

  /** If no site answers, requests a link that answered before: many dead sites do not mean that the network is missing. */
  async function isNetworkMissing({ domain }: DueLink, reading: LinkReading, signal: AbortSignal): Promise<boolean> {
    if (!isSilent(reading) || sites.answeredSince(now() - SILENT_MS)) return false
    const url = await library.linkThatAnswered(domain)
    if (url === undefined) return false
    const other = await request(url, signal)
    if (!other || isSilent(other)) return true
    sites.noteAnswer()
    return false
  }

  return worker
}

function isSilent(reading: LinkReading): boolean {
  return 'fault' in reading && SILENT.includes(reading.fault)
}
