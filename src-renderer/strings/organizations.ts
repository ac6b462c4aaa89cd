import { TRASH_DAYS } from '../../src-main/contract/bookmark.ts'
import { common } from './common.ts'
import { counted, number, plural } from './format.ts'

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
    `${common.bookmarks(bookmarks)}, ${counted(keys, { one: 'key', other: 'keys' })}`,
  rename: 'Rename',
  delete: 'Delete',
  of: (action: string, name: string) => `${action}: ${name}`,
  renameTitle: (name: string) => `Rename “${name}”`,
  deleteTitle: (name: string) => `Delete “${name}”?`,
  looking: 'Checking what it contains …',
  empty: 'It has no bookmarks.',
  has: (bookmarks: number) =>
    plural(bookmarks, {
      one: 'It has one bookmark. Where should it go?',
      other: `It has ${common.bookmarks(bookmarks)}. Where should they go?`
    }),
  toProfile: (bookmarks: number) => plural(bookmarks, { one: 'Keep it', other: 'Keep them' }),
  toProfileText: (bookmarks: number) =>
    plural(bookmarks, { one: 'It becomes a private bookmark of yours.', other: 'They become your private bookmarks.' }),
  duplicates: (count: number) =>
    plural(count, {
      one: 'You already have one of these pages. Your bookmark gets the tags too, and the copy goes to the trash.',
      other: `You already have ${number(count)} of these pages. Your bookmarks get the tags too, and the copies go to the trash.`
    }),
  toTrash: (bookmarks: number) => plural(bookmarks, { one: 'Move it to the trash', other: 'Move them to the trash' }),
  toTrashText: (bookmarks: number) =>
    plural(bookmarks, {
      one: `It can be restored for ${TRASH_DAYS} days.`,
      other: `They can be restored for ${TRASH_DAYS} days.`
    }),
  keys: (count: number) =>
    plural(count, {
      one: 'This key is revoked: its next call is refused.',
      other: `These ${number(count)} keys are revoked: their next calls are refused.`
    }),
  keyOf: (name: string, client: string) => `${name}, last used by ${client}`,
  noKeys: 'It has no keys.',
  gone: (name: string) => `“${name}” is deleted.`,
  moved: (count: number) => `${common.bookmarks(count)} moved to you.`,
  merged: (count: number) => `${number(count)} merged with yours.`,
  trashed: (count: number) => `${common.bookmarks(count)} in the trash.`
}
