import type { LinkFault, LinkReading, LinkVerdict } from '../contract/link-check.ts'
import { nearPage } from './near-page.ts'
import { isFrontPageInstead } from './own-page.ts'

const HOUR_MS = 3_600_000

/** How long after a failure a link is looked at again; a site may be down for an evening. */
export const AGAIN_MS = 12 * HOUR_MS

/** Two failures closer together than this are one. */
const APART_MS = 6 * HOUR_MS

/**
 * Faults that count once they happen again some time later. All others but `gone` say nothing about the page: a browser
 * may well get it where Earmark gave up.
 */
const COUNTS_WHEN_REPEATED: LinkFault[] = ['no-host', 'no-answer', 'certificate']

/**
 * What a check makes of a link. One that is clearly gone is broken at once, one whose site is out of reach once it is
 * still so later. An answer that says nothing about the page changes no earlier verdict that does.
 */
export function judgeLink(url: string, before: LinkVerdict | null, reading: LinkReading, at: number): LinkVerdict {
  if (!('fault' in reading)) {
    const { movedTo } = reading
    if (movedTo === null || isSame(url, movedTo)) return { ...NOTHING, state: 'ok' }
    return isFrontPageInstead(url, movedTo)
      ? { ...NOTHING, state: 'unclear', fault: 'front-page' }
      : { ...NOTHING, state: 'moved', movedTo }
  }
  const { fault } = reading
  if (fault === 'gone') return { ...NOTHING, state: 'broken', fault, failingSince: before?.failingSince ?? at }
  if (!COUNTS_WHEN_REPEATED.includes(fault)) {
    return before && isClear(before) ? before : { ...NOTHING, state: 'unclear', fault }
  }
  const failingSince = before?.failingSince ?? at
  const broken = before?.state === 'broken' || at - failingSince >= APART_MS
  return { ...NOTHING, state: broken ? 'broken' : 'failing', fault, failingSince }
}

/** Whether a verdict says something about the page, and not only about Earmark's way to it. */
function isClear({ state, fault }: LinkVerdict): boolean {
  if (state === 'moved') return true
  return state === 'broken' && fault !== null && (fault === 'gone' || COUNTS_WHEN_REPEATED.includes(fault))
}

const NOTHING: Omit<LinkVerdict, 'state'> = { fault: null, movedTo: null, failingSince: null }

/** `https` instead of `http`, with or without `www.`: no other page. */
function isSame(url: string, movedTo: string): boolean {
  return nearPage(url) === nearPage(movedTo)
}
