import type { Changes } from '../../contract/change.ts'
import type { DueLink, LinkFault, LinkReading, LinkRound } from '../../contract/link-check.ts'
import type { Ports, Web } from '../../contract/ports.ts'
import { AGAIN_MS, judgeLink } from '../../core/judge-link.ts'
import { chosenLinks } from '../links/begin-link-check.ts'
import { coalesce } from './coalesce.ts'
import { siteWork } from './site-work.ts'
import { watchSites } from './watch-sites.ts'

/** Links asked for at a time. */
const AT_ONCE = 4

/** How often it is looked for links whose time has come. */
const LOOK_EVERY_MS = 15_000

const DAY_MS = 86_400_000

/** How often a link is looked at without being asked to. */
const EVERY_MS = 30 * DAY_MS

/** Nothing was saved and no page read for so long: the computer may be used for checks. */
const IDLE_MS = 600_000

/** Where nobody answered for so long, it may be the network. */
const SILENT_MS = 60_000

/** Checks links in the background: those the owner asked for, and by itself each about once a month. */
export interface LinkChecks {
  /** Goes on with what is left to do, from now on. */
  start(): void
  /** Ends it; what is under way is given up and done anew the next time. */
  close(): Promise<void>
}

/** What is left to do stands in the library: nothing is lost when the process ends. */
export function createLinkChecks(
  ports: Ports & { web: Web },
  changes: Changes,
  onError: (error: unknown) => void
): LinkChecks {
  const { library, web, now } = ports
  const { wake, close: closeLooks } = coalesce(look, onError)
  const sites = watchSites(now, wake)
  const checks = siteWork(checkAndKeep, { now, onError, onDone: wake })
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let busyAt = now()
  let answeredAt = Number.NEGATIVE_INFINITY

  async function isOn(): Promise<boolean> {
    return !closed && (await library.readSettings()).fetchDetails
  }

  async function look(): Promise<void> {
    if (!(await isOn())) return
    while (!closed && (await library.sweepLinks()));
    const round = await roundUnderWay()
    if (round?.left) {
      await takeInSome(round, round.left)
      wake()
    }
    while (checks.domains().length < AT_ONCE) {
      if (checks.isPaused() || !web.isConnected() || !(await isOn())) return
      const link = await library.dueLink(now(), [...checks.domains(), ...sites.resting()])
      if (closed) return
      if (!link) {
        if (round) await library.endLinkRound(now(), false)
        return
      }
      checks.begin(link)
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

  async function takeInSome({ id, asked }: LinkRound, left: NonNullable<LinkRound['left']>): Promise<void> {
    if (!asked) return library.takeInOldLinks(id, now() - EVERY_MS, now())
    const { ids, after } = await chosenLinks(ports, left)
    await library.takeInLinks(id, ids, after, now())
  }

  async function checkAndKeep(link: DueLink, signal: AbortSignal): Promise<void> {
    const reading = await ask(link.url, signal)
    if (!reading) return
    sites.note(link.domain, reading)
    if (await networkIsAway(link, reading, signal)) {
      checks.pause()
      return
    }
    if (signal.aborted) return
    const at = now()
    const verdict = judgeLink(link.url, link.before, reading, at)
    await library.saveLink(link, verdict, verdict.state === 'failing' ? at + AGAIN_MS : null, at)
  }

  /** `undefined` where it was given up. */
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
  async function networkIsAway({ domain }: DueLink, reading: LinkReading, signal: AbortSignal): Promise<boolean> {
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

  async function onSettings(): Promise<void> {
    if (!(await isOn())) void checks.giveUp()
    wake()
  }

  const endWatching = changes.onChange(({ kind }) => {
    if (kind === 'bookmarks' || kind === 'details') busyAt = now()
    if (!timer) return
    if (kind === 'settings') void onSettings().catch(onError)
    else if (kind === 'links') wake()
  })

  return {
    start(): void {
      timer ??= setInterval(wake, LOOK_EVERY_MS).unref()
      wake()
    },
    async close(): Promise<void> {
      closed = true
      const looked = closeLooks()
      clearInterval(timer)
      endWatching()
      await Promise.all([looked, checks.giveUp()])
    }
  }
}

/** From these it cannot be told whether the site is away or the network. */
const SILENT: LinkFault[] = ['no-host', 'unreachable', 'slow']
