import type { DueLink, LinkRound, LinkVerdict, MarkedLink, NewLinkRound, StoredLink } from '../link-check.ts'

/** Calls about link checks. */
export interface LibraryLinks {
  /** A link whose check is due, and of none of these domains. */
  dueLink(now: number, except: string[]): Promise<DueLink | undefined>
  /**
   * Keeps what a check found, where the bookmark is still of this address; `undefined` where it is not.
   *
   * @param next when it is looked at again; `null` where nothing is to be confirmed
   */
  saveLink(
    link: DueLink,
    verdict: LinkVerdict,
    next: number | null,
    at: number
  ): Promise<{ changed: boolean } | undefined>
  /** `undefined` where it was not checked yet. */
  findLink(id: string): Promise<StoredLink | undefined>
  /** How many links outside the trash were not checked yet. */
  countUnchecked(): Promise<number>
  /** The address of a link of another site than this that was well when it was checked. */
  linkThatAnswered(domain: string): Promise<string | undefined>
  /** @throws Problem `taken` while the owner's own is under way; one that began by itself makes room */
  beginLinkRound(wanted: NewLinkRound, at: number): Promise<LinkRound>
  /** Takes these into a round; `after` is how far its choice was gone through, `null` at the end. */
  takeInLinks(round: number, ids: string[], after: number | null, at: number): Promise<void>
  /** Takes some of the links into a round that nobody looked at since a time. */
  takeInOldLinks(round: number, before: number, at: number): Promise<void>
  /** Ends the round under way once nothing of it is left, or at once; `undefined` where it goes on or there is none. */
  endLinkRound(at: number, cancel: boolean): Promise<LinkRound | undefined>
  /** Lets go of some links of a round that was stopped; false when none is left. */
  sweepLinks(): Promise<boolean>
  /** Links that a check since a time found broken or moved, those saved last first. */
  markedLinks(since: number, limit: number): Promise<MarkedLink[]>
  /** The last round, ended or not. */
  linkRound(): Promise<LinkRound | undefined>
  lastRoundByItself(): Promise<LinkRound | undefined>
}
