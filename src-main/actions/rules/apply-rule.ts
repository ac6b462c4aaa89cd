import type { ChangeReport } from '../../contract/bookmark-change.ts'
import type { WalkChoice } from '../../contract/library-export.ts'
import type { WorkControl } from '../../contract/long-work.ts'
import { Problem } from '../../contract/problem.ts'
import type { Rule } from '../../contract/rule.ts'
import { changeAll } from '../bookmarks/change-bookmarks.ts'
import { choosePlace } from '../bookmarks/choose-place.ts'
import type { Ports } from '../ports.ts'
import { assertQuery, ruleGone } from './rules.ts'

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
