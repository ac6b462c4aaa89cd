import type { Changes } from '../../contract/change.ts'
import type { DueLink, LinkFault, LinkReading, LinkRound } from '../../contract/link-check.ts'
import type { Web } from '../../contract/ports.ts'
import { AGAIN_MS, judgeLink } from '../../core/judge-link.ts'
import { chosenLinks } from '../links/link-checks.ts'
import type { Ports } from '../ports.ts'
import type { Background } from './background-worker.ts'
import { type SiteWorker, siteWorker } from './site-worker.ts'

const DAY_MS = 86_400_000

/** How often a link is looked at without being asked to. */
const EVERY_MS = 30 * DAY_MS

/** Nothing was saved and no page read for so long: the computer may be used for checks. */
const IDLE_MS = 600_000

/** Checks links in the background: those the owner asked for, and by itself each about once a month. */
export function createLinkChecks(
  ports: Ports & { web: Web },
  changes: Changes,
  onError: (error: unknown) => void
): Background {
  const { library, web, now } = ports
  const network = createNetworkSense(ports, onError)
  const worker: SiteWorker = siteWorker(ports, changes, onError, {
    prepare,
    due: (except) => library.dueLink(now(), except),
    work: checkAndKeep,
    async onNothingDue() {
      if (round) await library.endLinkRound(now(), false)
    },
    wakesOn({ kind }) {
      if (kind === 'bookmarks' || kind === 'details') busyAt = now()
      return kind === 'links'
    }
  })
  let round: LinkRound | undefined
  let busyAt = now()

  async function prepare(): Promise<void> {
    while (!worker.isClosed() && (await library.sweepLinks()));
    round = await roundUnderWay()
    if (round?.left) {
      await takeInSome(ports, round, round.left)
      worker.wake()
    }
  }

  async function roundUnderWay(): Promise<LinkRound | undefined> {
    const last = await library.linkRound()
    if (last?.endedAt === null) return last
    if (now() - busyAt < IDLE_MS || !web.isConnected()) return undefined
    const before = await library.lastRoundByItself()
    if (before && now() - before.beganAt < DAY_MS) return undefined
    if ((await library.duePage(now(), [])) !== undefined) return undefined
    return library.beginLinkRound({ asked: false }, now())
  }

  async function checkAndKeep(link: DueLink, signal: AbortSignal): Promise<void> {
    const reading = await network.ask(link.url, signal)
    if (!reading) return
    worker.sites.note(link.domain, reading)
    if (await network.isAway(link, reading, signal)) {
      worker.pause()
      return
    }
    if (signal.aborted) return
    const at = now()
    const verdict = judgeLink(link.url, link.before, reading, at)
    await library.saveLink(link, verdict, verdict.state === 'failing' ? at + AGAIN_MS : null, at)
  }

  return worker
}

type Left = NonNullable<LinkRound['left']>

async function takeInSome(ports: Ports, { id, asked }: LinkRound, left: Left): Promise<void> {
  const { library, now } = ports
  if (!asked) return library.takeInOldLinks(id, now() - EVERY_MS, now())
  const { ids, after } = await chosenLinks(ports, left)
  await library.takeInLinks(id, ids, after, now())
}

/** Where nobody answered for so long, it may be the network. */
const SILENT_MS = 60_000

/** From these it cannot be told whether the site is away or the network. */
const SILENT: LinkFault[] = ['no-host', 'unreachable', 'slow']

/** Asks links, and tells a site that is away from a network that is. */
function createNetworkSense(
  { library, web, now }: Ports & { web: Web },
  onError: (error: unknown) => void
): {
  /** `undefined` where it was given up. */
  ask(url: string, signal: AbortSignal): Promise<LinkReading | undefined>
  isAway(link: DueLink, reading: LinkReading, signal: AbortSignal): Promise<boolean>
} {
  let answeredAt = Number.NEGATIVE_INFINITY

  async function ask(url: string, signal: AbortSignal): Promise<LinkReading | undefined> {
    try {
      return await web.checkLink(url, signal)
    } catch (error) {
      if (signal.aborted) return undefined
      onError(error)
      return { fault: 'unreadable' }
    }
  }

  /** Where nobody answers, a link that was well is asked: a site that is gone is no sign, but all of them are. */
  async function isAway({ domain }: DueLink, reading: LinkReading, signal: AbortSignal): Promise<boolean> {
    const fault = 'fault' in reading ? reading.fault : undefined
    if (fault === 'address') return false
    if (fault === undefined || !SILENT.includes(fault)) {
      answeredAt = now()
      return false
    }
    const well = now() - answeredAt < SILENT_MS ? undefined : await library.linkThatAnswered(domain)
    if (well === undefined) return false
    const other = await ask(well, signal)
    if (!other || ('fault' in other && SILENT.includes(other.fault))) return true
    answeredAt = now()
    return false
  }

  return { ask, isAway }
}
