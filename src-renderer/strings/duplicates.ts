import { counted, number } from './format.ts'

/** The page of duplicates. */
export const duplicates = {
  title: 'Duplicates',
  intro:
    'These pages were saved more than once. Their addresses differ only in http or https, “www.”, a slash at the end, an index file or tracking parameters, or the pages say that they are the same. Merging keeps one bookmark, with all tags, the longest texts and the oldest date, and moves the others to the trash.',
  list: 'Pages saved more than once',
  count: (count: number) => `${counted(count, { one: 'page', other: 'pages' })} saved more than once`,
  unsettled: 'Earmark is still comparing what was saved before. There may be more.',
  none: 'No duplicates',
  noneText: 'No page is saved more than once.',
  failed: 'The duplicates could not be loaded.',
  untitled: 'Untitled',
  why: {
    near: '',
    own: 'One of these pages gives the address of another as its own.',
    moved: 'One of these pages moved to the address of another.'
  },
  keep: 'Keep the address',
  saved: (date: string) => `saved ${date}`,
  merge: 'Merge',
  mergeOf: (name: string) => `Merge: ${name}`,
  mergeAll: (count: number) => `Merge all ${number(count)}`,
  allTitle: (count: number) => `Merge ${counted(count, { one: 'page', other: 'pages' })}?`,
  allText:
    'For each page, one bookmark stays and gets all tags: the one you chose here, or else the one with a working link, an ' +
    'https address and the older date. The others go to the trash. You can undo this as a whole.',
  merging: 'Merging duplicates …',
  stopped: 'Stopped.',
  earlier: 'Earlier page',
  later: 'Next page',
  page: (page: number) => `Page ${number(page)}`,
  merged: (trashed: number) =>
    `Merged. ${counted(trashed, { one: 'bookmark is', other: 'bookmarks are' })} in the trash.`,
  undone: (trashed: number) =>
    `Merge undone. ${counted(trashed, { one: 'bookmark is', other: 'bookmarks are' })} back from the trash.`,
  left: (count: number) => `${counted(count, { one: 'page was', other: 'pages were' })} not merged.`,
  reasons: {
    missing: 'One of these bookmarks no longer exists.',
    'in-trash': 'One of these bookmarks is in the trash now.',
    'other-page': 'These bookmarks are of different pages now.',
    'too-many-tags': 'Together they have more tags than a bookmark can have. Remove some first.'
  }
}
