import type { Changes } from '../contract/change.ts'
import type { ExportChoice } from '../contract/library-export.ts'
import type { DueLink, LinkCheck, LinkFault, LinkReading } from '../contract/link-check.ts'
import type { Web } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { judgeLink } from '../core/judge-link.ts'
import type { Background } from './background/background-worker.ts'
import { type SiteWorker, siteWorker } from './background/site-worker.ts'
import type { Ports } from './ports.ts'

/**
 * Begins to check links in the background: of these bookmarks, or of all bookmarks that match words and filters.
 *
 * @throws Problem `invalid` if fetching is off; `taken` while another check of the owner’s is running
 */
export async function beginLinkCheck(ports: Ports, choice: { ids: string[] } | ExportChoice): Promise<void> {
  const { library, web, now } = ports
  if (!web)
    throw new Problem(
      'invalid',
      'Earmark was started with --no-fetch, so it cannot check links. Start it without that option.'
    )
  if (!(await library.readSettings()).fetchDetails) {
    throw new Problem('invalid', 'Links are not checked while fetching page details is switched off in Settings.')
  }
  const ids = 'ids' in choice ? choice.ids : await library.matchingIds({ ...choice, trash: 'without' })
  await library.beginLinkCheck(ids, now())
}

export interface LinkCheckStatus {
  /** The check that the owner requested last; `null` before the first. */
  check: LinkCheck | null
  /** Why links are not checked. */
  paused: 'off' | 'offline' | null
}

export async function linkCheckStatus({ library, web }: Ports): Promise<LinkCheckStatus> {
  const isOn = web !== undefined && (await library.readSettings()).fetchDetails
  const paused = isOn ? (web.isConnected() ? null : 'offline') : 'off'
  return { check: (await library.linkCheck()) ?? null, paused }
}

/** Links are checked automatically if nothing was saved for this time. */
const IDLE_MS = 600_000

/** If no site has answered for this time, the network may be missing. */
const SILENT_MS = 60_000

/** Faults of a site that does not exist, and of a missing network. */
const SILENT: LinkFault[] = ['no-host', 'unreachable', 'slow']

/** Checks due links in the background: links that the owner requested, and all other links while Earmark is idle. */
export function createLinkChecks(
  ports: Ports & { web: Web },
  changes: Changes,
  onError: (error: unknown) => void
): Background {
  const { library, web, now } = ports
  const worker: SiteWorker = siteWorker(ports, changes, onError, {
    prepare,
    async due(except) {
      const requested = await library.dueLink(now(), except, true)
      return requested ?? (isIdle ? library.dueLink(now(), except, false) : undefined)
    },
    work: check,
    async onNothingDue() {
      if (requested?.endedAt === null) await library.endLinkCheck(now())
    },
    wakesOn({ kind }) {
      if (kind === 'bookmarks') savedAt = now()
      return kind === 'links'
    }
  })
  const { sites } = worker
  let requested: LinkCheck | undefined
  let isIdle = false
  let savedAt = now()

  async function prepare(): Promise<void> {
    requested = await library.linkCheck()
    isIdle = now() - savedAt >= IDLE_MS && (await library.duePage(now(), [])) === undefined
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
    await library.saveLink(link, judgeLink(link.url, link.before, reading, time), time)
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
