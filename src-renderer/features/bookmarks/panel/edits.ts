import { type Draft, type Field, isSame } from './draft.ts'

/** A text typed into a field, and the state of saving it. */
export interface Edit {
  /** The library's value when it was typed. */
  was: Draft[Field]
  typed: Draft[Field]
  /** It is on its way; whether it arrives is not known yet. */
  sent?: boolean | undefined
  /** The library has it, in its own spelling: `was`. What was typed stays in the field as long as one is in it. */
  saved?: boolean | undefined
  /** Why it cannot be saved as it is. */
  refused?: string | undefined
}

export type Edits = { [F in Field]?: Edit | undefined }

/** The fields as they show: what was typed, else what the library has. */
export function shown(edits: Edits, now: Draft): Draft {
  const draft: Record<string, unknown> = { ...now }
  for (const [field, { typed, was, saved }] of entriesOf(edits)) {
    if (!saved || isSame(was, now[field])) draft[field] = typed
  }
  return draft as unknown as Draft
}

/**
 * Returns the edits with the value typed now. The library's own value again is no edit, unless an earlier one is on its
 * way.
 */
export function typedInto(edits: Edits, field: Field, typed: Draft[Field], now: Draft): Edits {
  const before = edits[field]
  if (isSame(typed, now[field]) && !before?.sent) return { ...edits, [field]: undefined }
  const was = before && !before.saved ? before.was : now[field]
  return { ...edits, [field]: { was, typed, sent: before?.sent } }
}

/** Fields that were changed elsewhere, to something else, since they were typed into here. */
export function inConflict(edits: Edits, now: Draft): Field[] {
  return entriesOf(edits)
    .filter(([field, edit]) => !edit.saved && !edit.sent && isElsewhere(edit, now[field]))
    .map(([field]) => field)
}

/** Returns the fields to save: typed, not refused as they are, and changed by nobody else. */
export function unsaved(edits: Edits, now: Draft): Field[] {
  return entriesOf(edits)
    .filter(([field, edit]) => !edit.saved && edit.refused === undefined && !isElsewhere(edit, now[field]))
    .map(([field]) => field)
}

/** The library took a field as it was sent, and spells it as it is `now`. */
export function savedAs(edits: Edits, field: Field, sent: Draft[Field], now: Draft): Edits {
  const edit = edits[field]
  if (!edit) return edits
  const saved = isSame(edit.typed, sent)
  return { ...edits, [field]: { was: now[field], typed: edit.typed, saved } }
}

/** The library does not take a field as it was sent. What was typed since may do. */
export function refusedAs(edits: Edits, field: Field, sent: Draft[Field], refused: string): Edits {
  const edit = edits[field]
  if (!edit) return edits
  return {
    ...edits,
    [field]: { was: edit.was, typed: edit.typed, refused: isSame(edit.typed, sent) ? refused : undefined }
  }
}

/** Nobody is in the fields any more: they show how the library spells what it has. */
export function withoutSaved(edits: Edits): Edits {
  return Object.fromEntries(entriesOf(edits).filter(([, { saved }]) => !saved))
}

/**
 * Returns the edits that a page before this one left. An edit it sent has arrived if the library's value is no longer
 * the old one.
 */
export function resumed(edits: Edits, now: Draft): Edits {
  const left = entriesOf(edits).filter(([field, { was, typed, sent }]) => {
    return !isSame(typed, now[field]) && (!sent || isSame(was, now[field]))
  })
  return Object.fromEntries(left.map(([field, { was, typed, refused }]) => [field, { was, typed, refused }]))
}

export function entriesOf(edits: Edits): [Field, Edit][] {
  return Object.entries(edits).filter(([, edit]) => edit !== undefined) as [Field, Edit][]
}

function isElsewhere({ was, typed }: Edit, now: Draft[Field]): boolean {
  return !isSame(now, was) && !isSame(now, typed)
}
