import type { PageFault } from './page-details.ts'

/** A bookmark’s page is gone, or has moved to another address. */
export const LINK_MARKS = ['broken', 'moved'] as const
export type LinkMark = (typeof LINK_MARKS)[number]

/**
 * Why a link leads to no page: a fault of reading pages, or one of three other faults. `no-host`: the host name does not
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
  /** Result of the last check; `null` before the first. */
  before: LinkVerdict | null
}

export interface StoredLink extends LinkVerdict {
  checkedAt: number
}

/** A check of links that the owner requested. */
export interface LinkCheck {
  beganAt: number
  /** `null` while it is running. */
  endedAt: number | null
  cancelled: boolean
  total: number
  checked: number
  broken: number
  moved: number
  failing: number
  unclear: number
}
