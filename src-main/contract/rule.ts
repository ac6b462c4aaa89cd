import { z } from 'zod'
import type { Visibility } from './bookmark.ts'
import { fields, type Place } from './bookmark-change.ts'

/** Most rules of a library. Each of them costs time for each new bookmark. */
export const MOST_RULES = 100

/** Gives the new bookmarks that match a query tags, or another place. */
export interface Rule {
  id: string
  /** In the query language, and matched exactly. */
  query: string
  /** The tags they get. */
  tags: string[]
  /** The visibility they get; `null` leaves theirs. */
  visibility: Visibility | null
  /** The organization they move to. While it is deleted (`isGone`), the rule does nothing. */
  organization: { id: string; name: string; isGone: boolean } | null
  /** How many new bookmarks it matched so far. */
  matched: number
  /** When the last of them did, in milliseconds since 1970. */
  matchedAt: number | null
}

const Query = z.string().trim().min(1, 'A rule needs a query.').max(1000, 'A query has at most 1,000 characters.')

/** A rule as its owner writes it. An organization goes by its id or name; visibility `organization` goes with it. */
export const RuleRequest = z.strictObject({
  query: Query,
  tags: fields.tags.default([]),
  visibility: fields.visibility.optional(),
  organization: fields.organization.optional()
})
export type RuleRequest = z.infer<typeof RuleRequest>

/** A rule as the library takes it: tags clean, the place found. */
export interface RuleDraft {
  query: string
  tags: string[]
  place: Place | undefined
}

/**
 * New bookmarks whose turn it is, and the ids of those that each rule matches, which goes by its row id. `due` is another
 * number once a bookmark's page was read.
 */
export interface RuleTurns {
  bookmarks: { id: string; due: number }[]
  matches: { rule: number; bookmarks: string[] }[]
}
