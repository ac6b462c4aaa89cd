import type { PageFault } from './page-details.ts'

/** The faults of a bookmark's link: its page is gone, or has moved to another address. */
export const LINK_MARKS = ['broken', 'moved'] as const
export type LinkMark = (typeof LINK_MARKS)[number]

/**
 * Why a link leads to no page: as with reading pages, and: nobody knows its host; its host lets nobody in; it leads to
 * its site's front page instead.
 */
export type LinkFault = PageFault | 'no-host' | 'no-answer' | 'front-page'

/** Result of asking for a link. */
export type LinkReading =
  | {
      /** Where it says it lies for good now; `null` where it still lies where it was. */
      movedTo: string | null
    }
  | {
      fault: LinkFault
      /** How long the site asks to be left alone, in milliseconds. */
      wait?: number
    }

/**
 * How it stands with a link. `failing` failed once, in a way that a second time would make broken; `unclear` leads
 * nowhere that says whether the page is still there.
 */
export type LinkState = 'ok' | 'moved' | 'broken' | 'failing' | 'unclear'

/** The stored result of a link's last check. Times are milliseconds since 1970. */
export interface LinkVerdict {
  state: LinkState
  /** Why it is not `ok` or `moved`. */
  fault: LinkFault | null
  movedTo: string | null
  /** The first of the checks that failed one after the other. */
  failingSince: number | null
}

/** A link that is to be checked. */
export interface DueLink {
  /** The bookmark's. */
  id: string
  url: string
  domain: string
  /** The round it is part of; `null` for one that is looked at again after it failed. */
  round: number | null
  /** Result of the last check; `null` before the first. */
  before: LinkVerdict | null
}

/** The stored facts about a bookmark's link. */
export interface StoredLink extends LinkVerdict {
  checkedAt: number
}

/** A bookmark whose link is broken or leads elsewhere. */
export interface MarkedLink {
  id: string
  url: string
  title: string
  link: LinkMark
  fault: LinkFault | null
  movedTo: string | null
}

/** A round of checks: of what the owner asked for, or by itself of what was not looked at for long. */
export interface LinkRound {
  id: number
  asked: boolean
  beganAt: number
  /** `null` while it is under way. */
  endedAt: number | null
  /** It was stopped before its end. */
  cancelled: boolean
  /** Links it is yet to take in, by what it chooses from and how far it is with that; `null` once it has all. */
  left: { choice: string; after: number } | null
  /** Links it has taken in so far. */
  total: number
  checked: number
  broken: number
  moved: number
  failing: number
  unclear: number
}

/** The links a round is to check: those of these bookmarks, or all that a choice selects; see `LinkRound`. */
export type NewLinkRound = { asked: true; ids: string[] } | { asked: true; choice: string } | { asked: false }
