import { Problem } from '../../contract/problem.ts'
import { MAX_RULES, type Rule, type RuleDraft } from '../../contract/rule.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRows, readValue, run } from '../../database/sql.ts'
import { assertOwner } from '../bookmarks/bookmark-inserts.ts'
import type { Written } from '../calls.ts'
import { publicId } from '../public-id.ts'

/** How long a rule that was deleted can be brought back, in milliseconds: as long as any change. */
const KEPT_MS = 86_400_000

const CHANGED: Written<unknown>['events'] = [{ kind: 'rules' }]

/** @throws Problem `too-many`, or `not-found` when the organization is gone */
export function saveRule(db: WriteConnection, { query, tags, place }: RuleDraft): Written<Rule> {
  assertRoom(db)
  assertOwner(db, place?.owner)
  const id = publicId()
  run(db)`
    INSERT INTO rules (public_id, query, tags, visibility, organization_id)
      VALUES (${id}, ${query}, ${JSON.stringify(tags)}, ${place?.visibility ?? null}, ${place?.owner ?? null})`
  const saved = listRules(db).find((rule) => rule.id === id)
  if (!saved) throw new Error('The rule was not saved.')
  return { answer: saved, events: CHANGED }
}

/** False when there is no such rule. Throws Problem `not-found` when the organization is gone. */
export function changeRule(db: WriteConnection, id: string, { query, tags, place }: RuleDraft): Written<boolean> {
  assertOwner(db, place?.owner)
  const { changes } = run(db)`
    UPDATE rules SET query = ${query}, tags = ${JSON.stringify(tags)}, visibility = ${place?.visibility ?? null},
      organization_id = ${place?.owner ?? null} WHERE public_id = ${id} AND deleted_at IS NULL`
  return { answer: changes > 0, events: CHANGED }
}

/** Deletes a rule, and for good those that were deleted more than a day before. False when there is no such rule. */
export function deleteRule(db: WriteConnection, id: string, at: number): Written<boolean> {
  const { changes } = run(db)`UPDATE rules SET deleted_at = ${at} WHERE public_id = ${id} AND deleted_at IS NULL`
  run(db)`DELETE FROM rules WHERE deleted_at < ${at - KEPT_MS}`
  return { answer: changes > 0, events: CHANGED }
}

/** Brings a rule back. What was saved meanwhile stays without it. False when there is none. Throws Problem `too-many`. */
export function restoreRule(db: WriteConnection, id: string): Written<boolean> {
  assertRoom(db)
  const { changes } = run(db)`
    UPDATE rules SET deleted_at = NULL WHERE public_id = ${id} AND deleted_at IS NOT NULL`
  return { answer: changes > 0, events: CHANGED }
}

function assertRoom(db: WriteConnection): void {
  const count = readValue<number>(db)`SELECT count(*) FROM rules WHERE deleted_at IS NULL` ?? 0
  if (count >= MAX_RULES) throw new Problem('too-many', `There are ${MAX_RULES} rules already. Delete one first.`)
}

interface RuleRow extends Omit<Rule, 'tags' | 'organization'> {
  tags: string
  organizationId: string | null
  organization: string | null
  isGone: number
}

/** Returns all rules, in the order in which they were made. */
export function listRules(db: ReadConnection): Rule[] {
  const rows = readRows<RuleRow>(db)`
    SELECT r.public_id AS id, r.query, r.tags, r.visibility, o.public_id AS organizationId, o.name AS organization,
      o.deleted_at IS NOT NULL AS isGone, r.matched, r.matched_at AS matchedAt
    FROM rules r LEFT JOIN organizations o ON o.id = r.organization_id WHERE r.deleted_at IS NULL ORDER BY r.id`
  return rows.map(({ organizationId, organization, isGone, tags, ...row }) => ({
    ...row,
    tags: JSON.parse(tags),
    organization:
      row.visibility === 'organization'
        ? { id: organizationId ?? '', name: organization ?? '', isGone: organizationId === null || isGone === 1 }
        : null
  }))
}
