import type { LinkFault, LinkReading, LinkState, LinkVerdict } from '../contract/link-check.ts'
import { isFrontPageInstead, nearPage } from './page-key.ts'

const HOUR_MS = 3_600_000

/** A link that failed is checked again after this time, because a site may be down for an evening. */
export const RETRY_MS = 12 * HOUR_MS

/** Interval of automatic checks of any other link. */
export const CHECK_INTERVAL_MS = 30 * 24 * HOUR_MS

/** Returns when a link is checked again after a check, or after its page was read. */
export function nextCheck(state: LinkState, time: number): number {
  return time + (state === 'failing' ? RETRY_MS : CHECK_INTERVAL_MS)
}

/** Failures within this time count as one. */
const MIN_APART_MS = 6 * HOUR_MS

/**
 * Faults that make a link broken if they are repeated. All others except `gone` show nothing about the page, because a
 * browser may be able to load it.
 */
const COUNTS_WHEN_REPEATED: LinkFault[] = ['no-host', 'no-answer', 'certificate']

/**
 * Judges a link after a check. A link to a page that is gone is broken at once. A link to a site that cannot be reached
 * is broken if a later check cannot reach the site either. An unclear answer does not replace an earlier clear verdict.
 */
export function judgeLink(url: string, before: LinkVerdict | null, reading: LinkReading, time: number): LinkVerdict {
  if (!('fault' in reading)) {
    const { movedTo } = reading
    // `https` instead of `http`, or with or without `www.`, is the same page.
    if (movedTo === null || nearPage(url) === nearPage(movedTo)) return { ...NOTHING, state: 'ok' }
    return isFrontPageInstead(url, movedTo)
      ? { ...NOTHING, state: 'unclear', fault: 'front-page' }
      : { ...NOTHING, state: 'moved', movedTo }
  }
  const { fault } = reading
  if (fault === 'gone') return { ...NOTHING, state: 'broken', fault, failingSince: before?.failingSince ?? time }
  if (!COUNTS_WHEN_REPEATED.includes(fault)) {
    return before && isClear(before) ? before : { ...NOTHING, state: 'unclear', fault }
  }
  const failingSince = before?.failingSince ?? time
  const broken = before?.state === 'broken' || time - failingSince >= MIN_APART_MS
  return { ...NOTHING, state: broken ? 'broken' : 'failing', fault, failingSince }
}

/** Whether a verdict shows that the page exists elsewhere, or no longer exists. */
function isClear({ state, fault }: LinkVerdict): boolean {
  if (state === 'moved') return true
  return state === 'broken' && fault !== null && (fault === 'gone' || COUNTS_WHEN_REPEATED.includes(fault))
}

const NOTHING: Omit<LinkVerdict, 'state'> = { fault: null, movedTo: null, failingSince: null }
