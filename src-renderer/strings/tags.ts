import { common } from './common.ts'
import { counted, number, plural } from './format.ts'

/** The page of tags. */
export const tags = {
  title: 'Tags',
  find: 'Find a tag',
  count: (count: number) => counted(count, { one: 'tag', other: 'tags' }),
  list: 'Tags',
  bookmarks: common.bookmarks,
  none: 'No tags yet',
  noneText: 'Tags you give to bookmarks appear here.',
  nothing: 'No tag matches',
  clear: 'Show all tags',
  failed: 'The tags could not be loaded.',
  show: (name: string) => `Show bookmarks tagged ${name}`,
  order: 'Order',
  orders: { used: 'Most used first', name: 'By name' },
  selectAll: 'Select all tags shown',
  below: (name: string) => `Tags in ${name}`,
  movesToo: (count: number) =>
    plural(count, {
      one: 'The tag below it moves with it.',
      other: `The ${number(count)} tags below it move with it.`
    }),
  select: (name: string) => `Select ${name}`,
  more: (name: string) => `More about ${name}`,
  rename: 'Rename',
  renameTitle: (name: string) => `Rename “${name}”`,
  newName: 'New name',
  merge: 'Merge',
  mergeInto: 'Merge into …',
  mergeTitle: (names: string[]) =>
    plural(names.length, {
      one: `Merge “${names[0]}” into another tag`,
      other: `Merge ${number(names.length)} tags into one`
    }),
  mergeText: 'Bookmarks with any of these tags get the tag you choose here. The other tags are removed.',
  into: 'Into',
  intoHint: 'A tag you have, or a new one',
  mergeInstead: (name: string) => `Merge into “${name}” instead`,
  delete: 'Delete',
  selected: (count: number) => `${number(count)} selected`,
  clearSelection: 'Clear selection',
  renamed: (name: string, count: number) => `Renamed to “${name}” on ${common.bookmarks(count)}.`,
  merged: (name: string, count: number) => `Merged into “${name}” on ${common.bookmarks(count)}.`,
  deletedAll: (count: number) => `${number(count)} tags removed from their bookmarks.`,
  deleted: (name: string, count: number) => `“${name}” removed from ${common.bookmarks(count)}.`
}
