import type { ChangeReport } from '../../contract/bookmark-change.ts'
import type { WalkChoice } from '../../contract/library-export.ts'
import type { WorkControl } from '../../contract/long-work.ts'
import { Problem } from '../../contract/problem.ts'
import type { Rule, RuleDraft, RuleRequest } from '../../contract/rule.ts'
import { exceptOf, matchOf } from '../../search/match.ts'
import { parseQuery } from '../../search/query.ts'
import { hasFilter } from '../../search/query-nodes.ts'
import { choosePlace, cleanTags } from '../bookmarks/bookmark-fields.ts'
import { changeAll } from '../bookmarks/change-bookmarks.ts'
import type { Ports } from '../ports.ts'

/**
 * Makes a rule for all that is saved from now on.
 *
 * @throws Problem `invalid` when the query finds nothing or is not read as it looks, or the rule adds nothing;
 *   `not-found` when its organization is not there; `too-many`
 */
export async function saveRule(ports: Ports, request: RuleRequest): Promise<Rule> {
  return ports.library.saveRule(await draftOf(ports, request))
}

/** Makes another of a rule. Throws as `saveRule` does, and Problem `not-found` when it is gone. */
export async function changeRule(ports: Ports, id: string, request: RuleRequest): Promise<void> {
  if (!(await ports.library.changeRule(id, await draftOf(ports, request)))) throw ruleGone()
}

/** Deletes a rule, which can be brought back. @throws Problem `not-found` */
export async function deleteRule({ library, now }: Ports, id: string): Promise<void> {
  if (!(await library.deleteRule(id, now()))) throw ruleGone()
}

/** Brings back a rule that was deleted. @throws Problem `not-found`, or `too-many` */
export async function restoreRule({ library }: Ports, id: string): Promise<void> {
  if (!(await library.restoreRule(id))) throw ruleGone()
}

function ruleGone(): Problem {
  return new Problem('not-found', 'This rule is no longer there.')
}

async function draftOf(ports: Ports, { query, tags, ...chosen }: RuleRequest): Promise<RuleDraft> {
  assertQuery(query)
  const draft = { query, tags: cleanTags(tags), place: await choosePlace(ports, chosen) }
  if (draft.tags.length === 0 && !draft.place) {
    throw new Problem('invalid', 'Choose what the rule adds: tags, or another visibility or organization.')
  }
  return draft
}

/**
 * A search says what it did instead of what it did not understand. A rule works while nobody looks, so it must be
 * understood as it stands.
 *
 * @throws Problem `invalid`
 */
function assertQuery(query: string): void {
  const parsed = parseQuery(query)
  const [misread] = parsed.misread
  if (misread !== undefined) throw new Problem('invalid', misread)
  if (matchOf(parsed, false) || exceptOf(parsed) || hasFilter(parsed)) return
  throw new Problem('invalid', 'This query has neither a word nor a filter.')
}

/**
 * Counts the bookmarks that a rule would be applied to.
 *
 * @param own whether it moves them, which it does with the profile's own alone
 * @throws Problem `invalid` when the query finds nothing or is not read as it looks
 */
export async function countForRule(ports: Ports, query: string, own: boolean): Promise<number> {
  assertQuery(query)
  return (await ports.library.countMatching(choiceOf(query, own))).total
}

/**
 * Applies a rule to all bookmarks that it matches, as one step that can be undone.
 *
 * @throws Problem `not-found` when the rule or its organization is gone; `taken` when a backup is restored meanwhile
 */
export async function applyRule(ports: Ports, id: string, control?: WorkControl): Promise<ChangeReport> {
  const rule = (await ports.library.listRules()).find((one) => one.id === id)
  if (!rule) throw ruleGone()
  const place = await choosePlace(ports, placeOf(rule))
  const some = { choice: choiceOf(rule.query, place !== undefined), except: new Set<string>() }
  return changeAll(ports, some, { kind: 'rule', add: rule.tags, place }, control)
}

function placeOf({ visibility, organization }: Rule) {
  if (organization?.isGone) {
    throw new Problem('not-found', `The organization ${organization.name} was deleted. Choose another for this rule.`)
  }
  return { visibility: visibility ?? undefined, organization: organization?.id }
}

function choiceOf(words: string, own: boolean): WalkChoice {
  return { words, trash: 'without', own }
}
