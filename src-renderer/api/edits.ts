/** What is typed into a bookmark's fields, and whether the library has it. Pure functions; autosave.ts saves it. */
import type { Visibility } from '../../src-main/contract/bookmark.ts'
import type { api, ShownBookmark } from './client.ts'

/** A bookmark's fields while they are edited. `organization` is a name. */
export interface Fields {
  title: string
  url: string
  description: string
  content: string
  tags: string[]
  place: { visibility: Visibility; organization?: string | undefined }
}

export type Field = keyof Fields

/** The library's values, and the version of the bookmark that has them. */
export interface ReadFields extends Fields {
  version: string
}

export function readFields(bookmark: ShownBookmark): ReadFields {
  const { title, url, description, content, tags, visibility, organization, updatedAt } = bookmark
  const place = { visibility, organization: organization ?? undefined }
  return { title, url: url ?? '', description, content, tags, place, version: updatedAt }
}

/** A value typed into a field, and the state of saving it. */
interface Edit {
  /** The library's value that it replaces, and the version of the bookmark that had it. */
  was: Fields[Field]
  version: string
  typed: Fields[Field]
  /** The value of a request that was not answered yet. It may have arrived. */
  sent?: Fields[Field] | undefined
  /** The library has the value, perhaps in another spelling: `was`. The field shows `typed` until the user leaves it. */
  saved?: boolean | undefined
  /** The reason why the library refused the value. */
  refused?: string | undefined
}

export type Edits = { [F in Field]?: Edit | undefined }

/** Returns the values that the fields show: typed ones, otherwise the library's. */
export function showEdits(edits: Edits, now: ReadFields): Fields {
  const fields: Record<string, unknown> = { ...now }
  for (const [field, edit] of listEdits(edits)) {
    if (!edit.saved || isSame(edit.was, now[field])) fields[field] = mergeTags(field, edit, now).typed
  }
  return fields as unknown as Fields
}

/** Returns the edits after a value was typed. The library's value is no edit, unless another value was sent before. */
export function applyTyped(edits: Edits, field: Field, typed: Fields[Field], now: ReadFields): Edits {
  const before = edits[field]
  if (isSame(typed, now[field]) && before?.sent === undefined) return { ...edits, [field]: undefined }
  // The tags that the field shows already include changes made elsewhere.
  const isOpen = before && !before.saved && field !== 'tags'
  const { was, version } = isOpen ? before : { was: now[field], version: now.version }
  return { ...edits, [field]: { was, version, typed, sent: before?.sent } }
}

/** Returns the edits after the bookmark was read. Edits of fields that nobody else changed are based on this version. */
export function applyRead(edits: Edits, now: ReadFields): Edits {
  const read = listEdits(edits).map(([field, edit]) => {
    const isUnchanged = [edit.was, edit.sent].some((value) => isSame(value, now[field]))
    if (edit.saved || (field !== 'tags' && !isUnchanged)) return [field, edit]
    return [field, { ...mergeTags(field, edit, now), was: now[field], version: now.version }]
  })
  return Object.fromEntries(read)
}

/** Returns the edits after the library saved the sent value of a field. `now` has the library's spelling. */
export function applySaved(edits: Edits, field: Field, now: ReadFields): Edits {
  const edit = edits[field]
  if (!edit) return edits
  const { typed, sent } = edit
  return { ...edits, [field]: { was: now[field], version: now.version, typed, saved: isSame(typed, sent) } }
}

/** Returns the edits after the library refused the sent value of a field. A value typed since then may be valid. */
export function applyRefused(edits: Edits, field: Field, reason: string): Edits {
  const edit = edits[field]
  if (!edit) return edits
  const { was, version, typed, sent } = edit
  return { ...edits, [field]: { was, version, typed, refused: isSame(typed, sent) ? reason : undefined } }
}

/** Returns the fields that were changed elsewhere, to another value, since the user typed into them. */
export function findConflicts(edits: Edits, now: ReadFields): Field[] {
  return listOpen(edits)
    .filter(([field, edit]) => edit.sent === undefined && isChangedElsewhere(field, edit, now))
    .map(([field]) => field)
}

/** Returns the fields to save: typed, not refused, and not changed elsewhere. */
export function findUnsaved(edits: Edits, now: ReadFields): Field[] {
  return listOpen(edits)
    .filter(([, { refused }]) => refused === undefined)
    .filter(([field, edit]) => edit.sent !== undefined || !isChangedElsewhere(field, edit, now))
    .map(([field]) => field)
}

type Patch = Parameters<(typeof api.bookmarks)[':id']['$patch']>[0]['json']

/** Returns a request's body that changes these fields, with the oldest version from which one of them was read. */
export function toPatch(edits: Edits, fields: Field[]): Patch {
  const patch: Patch = {}
  for (const [field, { typed, was, version }] of listOpen(edits).filter(([field]) => fields.includes(field))) {
    Object.assign(patch, field === 'place' ? typed : { [field]: typed })
    if (field === 'tags') patch.formerTags = was as string[]
    if (patch.version === undefined || version < patch.version) patch.version = version
  }
  return patch
}

/** Returns the edits without saved ones, so that fields show the library's spelling after the user left them. */
export function dropSaved(edits: Edits): Edits {
  return Object.fromEntries(listOpen(edits))
}

/** Returns the edits of an earlier page. They count as sent, because that page may have sent them while it closed. */
export function resumeEdits(edits: Edits): Edits {
  const resumed = listEdits(edits).map(([field, edit]) => {
    return [field, { ...edit, sent: edit.refused === undefined ? (edit.sent ?? edit.typed) : undefined }]
  })
  return Object.fromEntries(resumed)
}

/** Lists the edits that the library does not have. */
export function listOpen(edits: Edits): [Field, Edit][] {
  return listEdits(edits).filter(([, { saved }]) => !saved)
}

function listEdits(edits: Edits): [Field, Edit][] {
  return Object.entries(edits).filter(([, edit]) => edit !== undefined) as [Field, Edit][]
}

/** Applies an edit of tags to the library's current tags. Returns edits of other fields unchanged. */
function mergeTags(field: Field, edit: Edit, now: ReadFields): Edit {
  const { was, typed } = edit
  if (field !== 'tags' || isSame(was, now.tags)) return edit
  const [before, after] = [was as string[], typed as string[]]
  const remaining = now.tags.filter((tag) => after.includes(tag) || !before.includes(tag))
  const added = after.filter((tag) => !before.includes(tag) && !remaining.includes(tag))
  const merged = [...remaining, ...added]
  return { ...edit, typed: merged, sent: isSame(edit.sent, typed) ? merged : edit.sent }
}

function isChangedElsewhere(field: Field, { was, typed }: Edit, now: ReadFields): boolean {
  return field !== 'tags' && !isSame(now[field], was) && !isSame(now[field], typed)
}

function isSame(value: unknown, other: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(other)
}
