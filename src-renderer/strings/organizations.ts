import { common } from './common.ts'

/** Organizations. */
export const organizations = {
  intro: 'A workspace for a client or a project. Its keys see its bookmarks and public ones, never your private ones.',
  create: 'New organization',
  none: 'There are no organizations yet. Everything you save is private or public.',
  failed: 'The organizations could not be read.',
  nameMissing: 'An organization needs a name.',
  submit: 'Create',
  list: 'Your organizations',
  counts: (bookmarks: number, keys: number) =>
    `${common.bookmarks(bookmarks)}, ${keys === 1 ? '1 key' : `${common.number(keys)} keys`}`,
  rename: 'Rename',
  delete: 'Delete',
  of: (action: string, name: string) => `${action}: ${name}`,
  renameTitle: (name: string) => `Rename “${name}”`,
  deleteTitle: (name: string) => `Delete “${name}”?`,
  looking: 'Checking what it contains …',
  empty: 'It has no bookmarks.',
  has: (bookmarks: number) =>
    bookmarks === 1
      ? 'It has one bookmark. Where should it go?'
      : `It has ${common.bookmarks(bookmarks)}. Where should they go?`,
  toProfile: (bookmarks: number) => (bookmarks === 1 ? 'Keep it' : 'Keep them'),
  toProfileText: (bookmarks: number) =>
    bookmarks === 1 ? 'It becomes a private bookmark of yours.' : 'They become your private bookmarks.',
  duplicates: (count: number) =>
    count === 1
      ? 'You already have one of these pages: yours gets the tags too, and the copy goes to the trash.'
      : `${common.number(count)} of these pages you already have: yours get the tags too, and the copies go to the trash.`,
  toTrash: (bookmarks: number) => (bookmarks === 1 ? 'Put it into the trash' : 'Put them into the trash'),
  toTrashText: (bookmarks: number) =>
    bookmarks === 1 ? 'It can be restored for 30 days.' : 'They can be restored for 30 days.',
  keys: (count: number) =>
    count === 1
      ? 'This key is revoked: its next call is refused.'
      : `These ${count} keys are revoked: their next calls are refused.`,
  keyOf: (name: string, client: string) => `${name}, last used by ${client}`,
  noKeys: 'It has no keys.',
  gone: (name: string) => `“${name}” is deleted.`,
  moved: (count: number) => `${common.bookmarks(count)} moved to you.`,
  merged: (count: number) => `${common.number(count)} merged with yours.`,
  trashed: (count: number) => `${common.bookmarks(count)} in the trash.`
}
