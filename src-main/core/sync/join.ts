import type { FieldValue, SyncField } from '../../contract/sync.ts'

type Fields = Record<string, SyncField>

/**
 * Returns the fields of one record as two devices have them, joined: of each field the one that was changed last. The
 * order in which records are joined, and how often, makes no difference.
 */
export function joinFields(one: Fields, other: Fields): Fields {
  const joined: Fields = { ...one }
  for (const [name, field] of Object.entries(other)) joined[name] = laterField(name, joined[name], field)
  return joined
}

/** Returns the field that was changed last. Between two of the same time a rule decides that is the same everywhere. */
export function laterField(name: string, one: SyncField | undefined, other: SyncField): SyncField {
  if (one === undefined) return other
  if (one[1] !== other[1]) return one[1] > other[1] ? one : other
  return compareValues(name, one[0], other[0]) >= 0 ? one : other
}

/** Positive where the first of two values goes before the other, if both are of the same time. */
function compareValues(name: string, one: FieldValue, other: FieldValue): number {
  const rank = RANKS[name]
  if (rank && rank(one) !== rank(other)) return rank(one) - rank(other)
  if (typeof one === 'number' && typeof other === 'number') return name === 'createdAt' ? other - one : one - other
  const [first, second] = [textOf(one), textOf(other)]
  return first === second ? 0 : first > second ? 1 : -1
}

/** Sorts nothing and empty texts first. */
function textOf(value: FieldValue): string {
  return value === null || value === '' ? '' : JSON.stringify(value)
}

/**
 * Between values of the same time, private wins over organization and public, and living over the trash, deleted and
 * purged.
 */
const RANKS: Record<string, (value: FieldValue) => number> = {
  place: (value) => ['public', 'organization', 'private'].indexOf(Array.isArray(value) ? String(value[0]) : ''),
  life: (value) => (value === null ? 2 : typeof value === 'number' ? 1 : 0),
  gone: (value) => (value === null ? 1 : 0),
  deleted: (value) => (value === null ? 1 : 0)
}
