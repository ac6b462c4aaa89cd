import type { PageFault } from './page-details.ts'

/** A bookmark’s page is gone, or has moved to another address. */
export const LINK_MARKS = ['broken', 'moved'] as const
export type LinkMark = (typeof LINK_MARKS)[number]

/**
 * Why a link leads to no page: a fault of reading pages, or one of three others. `no-host`: the host name does not
 * exist. `no-answer`: the host accepts no connection. `front-page`: the link redirects to the front page of its site.
 */
export type LinkFault = PageFault | 'no-host' | 'no-answer' | 'front-page'

/** Result of requesting a link. */
export type LinkReading =
  | {
      /** The address that permanent redirects lead to; `null` if there were none. */
      movedTo: string | null
    }
  | {
      fault: LinkFault
      /** How long the site asks to wait, in milliseconds. */
      wait?: number
    }

/**
 * `failing`: a check failed, and the link becomes broken if a later check fails too. `unclear`: the answer does not
 * show whether the page still exists.
 */
export type LinkState = 'ok' | 'moved' | 'broken' | 'failing' | 'unclear'

/** Result of a link’s last check. Times are milliseconds since 1970. */
export interface LinkVerdict {
  state: LinkState
  fault: LinkFault | null
  movedTo: string | null
  /** When the first of the consecutive failures happened; `null` if the last check did not fail. */
  failingSince: number | null
}

export interface DueLink {
  /** The bookmark’s id. */
  id: string
  url: string
  domain: string
  /** The round it belongs to; `null` for a link that is checked again because it failed. */
  round: number | null
  /** Result of the last check; `null` before the first. */
  before: LinkVerdict | null
}

export interface StoredLink extends LinkVerdict {
  checkedAt: number
}

/** A round of checks. The owner requested it, or it began automatically for links that were not checked for long. */
export interface LinkRound {
  id: number
  asked: boolean
  beganAt: number
  /** `null` while it is running. */
  endedAt: number | null
  cancelled: boolean
  /** The choice of links, and how far it has been read; `null` once all links are in the round. */
  left: { choice: string; after: number } | null
  /** Links in the round so far. */
  total: number
  checked: number
  broken: number
  moved: number
  failing: number
  unclear: number
}
