import type { ChangeReport } from '../contract/bookmark-change.ts'
import type { WorkControl } from '../contract/change.ts'
import type { WalkChoice } from '../contract/library-export.ts'
import type { Organization } from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import type {
  Rule,
  RuleDraft,
  RuleRequest,
  SavedSearch,
  SavedSearchChange,
  SavedSearchRequest
} from '../contract/rule.ts'
import { createMatch, exclusionExpression } from '../search/match.ts'
import { parseQuery } from '../search/query.ts'
import { hasFilter } from '../search/query-nodes.ts'
import { choosePlace, cleanTags } from './bookmarks/bookmark-fields.ts'
import { changeAll } from './bookmarks/change-bookmarks.ts'
import { cleanName, organizationIn } from './organizations.ts'
import type { Ports } from './ports.ts'

/** The undo step of a change. */
interface Undoable {
  undo: number
}

/**
 * Saves a rule for all new bookmarks.
 *
 * @throws Problem `invalid` if the query matches nothing or is ambiguous, or the rule adds nothing; `not-found` if there is
 *   no such organization; `too-many`
 */
export async function saveRule(ports: Ports, request: RuleRequest): Promise<Rule & Undoable> {
  const { rule, undo } = await ports.library.saveRule(await draftOf(ports, request), ports.now())
  return { ...rule, undo }
}

/** @throws Problem as `saveRule`, and `not-found` if the rule no longer exists */
export async function changeRule(ports: Ports, id: string, request: RuleRequest): Promise<Undoable> {
  const undo = await ports.library.changeRule(id, await draftOf(ports, request), ports.now())
  if (undo === undefined) throw ruleGone()
  return { undo }
}

/** @throws Problem `not-found` */
export async function deleteRule({ library, now }: Ports, id: string): Promise<Undoable> {
  const undo = await library.deleteRule(id, now())
  if (undo === undefined) throw ruleGone()
  return { undo }
}

function ruleGone(): Problem {
  return new Problem('not-found', 'This rule is no longer there.')
}

async function draftOf(ports: Ports, { query, tags, copy, ...chosen }: RuleRequest): Promise<RuleDraft> {
  assertQuery(query)
  const draft = { query, tags: cleanTags(tags), place: await choosePlace(ports, chosen), copy }
  if (draft.tags.length === 0 && !draft.place && !copy) {
    throw new Problem(
      'invalid',
      'Choose what the rule does: add tags, change the visibility, or save a copy of the page.'
    )
  }
  return draft
}

/**
 * A search reports how it read an ambiguous query. A rule works unattended, so its query must not be ambiguous.
 *
 * @throws Problem `invalid`
 */
function assertQuery(query: string): void {
  const parsed = parseQuery(query)
  const invalid = parsed.invalidFilters.filter(({ isKnownName }) => isKnownName).map(({ sentence }) => sentence)
  const [misread] = [...parsed.misread, ...invalid]
  if (misread !== undefined) throw new Problem('invalid', misread)
  if (createMatch(parsed, false) || exclusionExpression(parsed) || hasFilter(parsed)) return
  throw new Problem('invalid', 'This query has neither a word nor a filter.')
}

/**
 * Counts the bookmarks that a rule would be applied to.
 *
 * @param own whether the rule moves bookmarks; then only the profile’s bookmarks count, because a rule moves no others
 * @throws Problem `invalid` as `saveRule`
 */
export async function countForRule(ports: Ports, query: string, own: boolean): Promise<number> {
  assertQuery(query)
  return ports.library.countMatching(choiceOf(query, own))
}

/**
 * Applies a rule to all bookmarks that it matches, as one undo step.
 *
 * @throws Problem `not-found` if the rule or its organization no longer exists
 */
export async function applyRule(ports: Ports, id: string, control?: WorkControl): Promise<ChangeReport> {
  const rule = (await ports.library.listRules()).find((rule) => rule.id === id)
  if (!rule) throw ruleGone()
  const { query, tags, visibility, organization } = rule
  if (organization?.isGone) {
    throw new Problem('not-found', `The organization ${organization.name} was deleted. Choose another for this rule.`)
  }
  const place = await choosePlace(ports, { visibility: visibility ?? undefined, organization: organization?.id })
  const matching = { choice: choiceOf(query, place !== undefined), except: new Set<string>() }
  return changeAll(ports, matching, { kind: 'rule', add: tags, place }, control)
}

function choiceOf(words: string, own: boolean): WalkChoice {
  return { words, trash: 'without', own }
}

/** @throws Problem `taken` if another search has that name, in any case; `too-many`; `invalid` if the name is invisible */
export async function saveSearch(
  { library, now }: Ports,
  { name, address }: SavedSearchRequest
): Promise<SavedSearch & Undoable> {
  const lasting = withOrganizationIds(address, await library.listOrganizations())
  const { search, undo } = await library.saveSearch({ name: cleanSearchName(name), address: lasting }, now())
  return { ...search, undo }
}

const ORGANIZATION = /(?<=^|\s)organization:(?:"([^"]+)"|'([^']+)'|(\S+))/gi

/** Returns an address that names organizations by their ids, because their names can change. */
function withOrganizationIds(address: string, organizations: Organization[]): string {
  const [path = '', search] = address.split('?')
  const query = new URLSearchParams(search)
  const text = query.get('q') ?? ''
  const lasting = text.replace(ORGANIZATION, (filter: string, ...[quoted, single, bare]: string[]) => {
    const organization = organizationIn(organizations, quoted ?? single ?? bare ?? '')
    return organization ? `organization:${organization.id}` : filter
  })
  if (lasting === text) return address
  query.set('q', lasting)
  return `${path}?${query}`
}

/** @throws Problem `not-found`, or as `saveSearch` */
export async function changeSavedSearch(
  { library, now }: Ports,
  id: string,
  { name, address }: SavedSearchChange
): Promise<Undoable> {
  const change = {
    name: name === undefined ? undefined : cleanSearchName(name),
    address: address === undefined ? undefined : withOrganizationIds(address, await library.listOrganizations())
  }
  const undo = await library.changeSavedSearch(id, change, now())
  if (undo === undefined) throw searchGone()
  return { undo }
}

/** @throws Problem `not-found` */
export async function deleteSavedSearch({ library, now }: Ports, id: string): Promise<Undoable> {
  const undo = await library.deleteSavedSearch(id, now())
  if (undo === undefined) throw searchGone()
  return { undo }
}

function cleanSearchName(name: string): string {
  return cleanName(name, 'A saved search')
}

function searchGone(): Problem {
  return new Problem('not-found', 'This saved search is no longer there.')
}
