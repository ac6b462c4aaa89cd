import type { Rule, RuleDraft, RuleTurns } from '../rule.ts'

/** Calls about rules. */
export interface LibraryRules {
  /** In the order in which they were made. */
  listRules(): Promise<Rule[]>
  /** @throws Problem `too-many`, or `not-found` when its organization is gone */
  saveRule(draft: RuleDraft): Promise<Rule>
  /** False when there is no such rule. Throws Problem `not-found` when its organization is gone. */
  changeRule(id: string, draft: RuleDraft): Promise<boolean>
  /** False when there is no such rule. It can be brought back for a day. */
  deleteRule(id: string, at: number): Promise<boolean>
  /** Brings one back that was deleted. False when there is no such rule. Throws Problem `too-many`. */
  restoreRule(id: string): Promise<boolean>

  /** Whether rules may have to be applied to a new bookmark, which costs next to nothing to ask. */
  isRuleDue(): Promise<boolean>
  /** Reads some of the new bookmarks whose turn it is, those saved last first, and what the rules match of them. */
  matchRules(): Promise<RuleTurns>
  /** Applies the rules to what they match, each to a bookmark at most once. */
  applyRules(turns: RuleTurns, at: number): Promise<void>
}
