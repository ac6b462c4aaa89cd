/** What is typed into a bookmark's fields, and whether the library has it. Pure functions; autosave.ts saves it. */
import type { Visibility } from '../../src-main/contract/bookmark.ts'
import type { ShownBookmark } from './client.ts'

/** A bookmark's fields while they are edited. `organization` is a name. */
export interface Draft {
  title: string
  url: string
  description: string
  content: string
  tags: string[]
  place: { visibility: Visibility; organization?: string | undefined }
}

export type Field = keyof Draft

export function toDraft({ title, url, description, content, tags, visibility, organization }: ShownBookmark): Draft {
  const place = { visibility, organization: organization ?? undefined }
  return { title, url: url ?? '', description, content, tags, place }
}

/** A value typed into a field, and the state of saving it. */
export interface Edit {
  /** The library's value when it was typed. */
  was: Draft[Field]
  typed: Draft[Field]
  /** It was sent, and the answer has not arrived. */
  sent?: boolean | undefined
  /** The library has it, in the library's spelling: `was`. What was typed stays in the field while one is in it. */
  saved?: boolean | undefined
  /** Why the library refuses it. */
  refused?: string | undefined
}

export type Edits = { [F in Field]?: Edit | undefined }

/** Returns the fields as they are shown: what was typed, or what the library has. */
export function showEdits(edits: Edits, now: Draft): Draft {
  const draft: Record<string, unknown> = { ...now }
  for (const [field, { typed, was, saved }] of listEdits(edits)) {
    if (!saved || isSame(was, now[field])) draft[field] = typed
  }
  return draft as unknown as Draft
}

/** Returns the edits with a value that is typed now. The library's own value is no edit, unless another one was sent. */
export function applyTyped(edits: Edits, field: Field, typed: Draft[Field], now: Draft): Edits {
  const before = edits[field]
  if (isSame(typed, now[field]) && !before?.sent) return { ...edits, [field]: undefined }
  const was = before && !before.saved ? before.was : now[field]
  return { ...edits, [field]: { was, typed, sent: before?.sent } }
}

/** Returns the fields that were changed elsewhere, to something else, since one typed into them. */
export function findConflicts(edits: Edits, now: Draft): Field[] {
  return listEdits(edits)
    .filter(([field, edit]) => !edit.saved && !edit.sent && isElsewhere(edit, now[field]))
    .map(([field]) => field)
}

/** Returns the fields to save: typed, not refused, and not changed elsewhere. */
export function findUnsaved(edits: Edits, now: Draft): Field[] {
  return listEdits(edits)
    .filter(([field, edit]) => !edit.saved && edit.refused === undefined && !isElsewhere(edit, now[field]))
    .map(([field]) => field)
}

/** Returns the edits after the library took a field as it was sent. `now` has its spelling. */
export function applySaved(edits: Edits, field: Field, sent: Draft[Field], now: Draft): Edits {
  const edit = edits[field]
  if (!edit) return edits
  const saved = isSame(edit.typed, sent)
  return { ...edits, [field]: { was: now[field], typed: edit.typed, saved } }
}

/** Returns the edits after the library refused a field as it was sent. What was typed since may be valid. */
export function applyRefused(edits: Edits, field: Field, sent: Draft[Field], reason: string): Edits {
  const edit = edits[field]
  if (!edit) return edits
  const refused = isSame(edit.typed, sent) ? reason : undefined
  return { ...edits, [field]: { was: edit.was, typed: edit.typed, refused } }
}

/** Returns the edits without the saved ones, so that fields that one has left show the library's spelling. */
export function dropSaved(edits: Edits): Edits {
  return Object.fromEntries(listEdits(edits).filter(([, { saved }]) => !saved))
}

/**
 * Returns the edits that a page before this one left. An edit that it sent has arrived if the library's value is no
 * longer the old one.
 */
export function resumeEdits(edits: Edits, now: Draft): Edits {
  const remaining = listEdits(edits).filter(([field, { was, typed, sent }]) => {
    return !isSame(typed, now[field]) && (!sent || isSame(was, now[field]))
  })
  return Object.fromEntries(remaining.map(([field, { was, typed, refused }]) => [field, { was, typed, refused }]))
}

export function listEdits(edits: Edits): [Field, Edit][] {
  return Object.entries(edits).filter(([, edit]) => edit !== undefined) as [Field, Edit][]
}

function isElsewhere({ was, typed }: Edit, now: Draft[Field]): boolean {
  return !isSame(now, was) && !isSame(now, typed)
}

function isSame(value: unknown, other: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(other)
}
