import { common } from './common.ts'
import { number, plural } from './format.ts'

const short = (query: string) => (query.length <= 60 ? query : `${query.slice(0, 59)}…`)
const quoted = (tags: string[]) => tags.map((tag) => `“${tag}”`).join(', ')
const words = (count: number) => plural(count, { one: 'bookmark matches', other: 'bookmarks match' })

/** Rules for new bookmarks. */
export const rules = {
  title: 'Rules',
  text:
    'A rule looks at each new bookmark. If it matches a search, the rule adds tags to it, changes its visibility, or moves ' +
    'it to an organization.',
  failed: 'The rules could not be listed.',
  make: 'New rule',
  makeHere: 'Make a rule',
  ofSearch: 'Make a rule from this search',
  always: 'Always do this',

  dialog: 'Rule for new bookmarks',
  query: 'Bookmarks that match',
  queryText: 'Words and filters, as in the search field: rust, site:github.com, type:image',
  matches: (count: number) => `${number(count)} ${words(count)} now.`,
  tags: 'Add tags',
  place: 'Change visibility',
  leave: 'Leave as it is',
  clearPlace: 'Leave the visibility as it is',
  ownOnly: 'Applies to your own bookmarks, not to those of organizations.',
  alsoNow: (count: number) =>
    plural(count, {
      one: 'Apply it to the bookmark that matches now, too',
      other: `Apply it to the ${number(count)} bookmarks that match now, too`
    }),
  submit: 'Save rule',

  saved: 'Rule saved.',
  changed: 'Rule changed.',
  deleted: (query: string) => `The rule for “${short(query)}” is deleted.`,

  adds: (tags: string[]) => `Adds ${quoted(tags)}`,
  moves: (organization: string) => `Moves to ${organization}`,
  makes: { private: 'Makes private', public: 'Makes public' },
  gone: (organization: string) => `“${organization}” was deleted, so this rule does nothing.`,
  goneHint: (organization: string) => `“${organization}” was deleted. Choose another place.`,
  matched: (count: number) =>
    plural(count, {
      one: '1 new bookmark matched. Last match:',
      other: `${number(count)} new bookmarks matched. Last match:`
    }),
  notYet: 'No new bookmark matched yet.',

  apply: 'Apply…',
  applyLabel: (query: string) => `Apply the rule for ${query} to existing bookmarks`,
  more: (query: string) => `More about the rule for ${query}`,
  edit: 'Edit',
  delete: 'Delete',
  noMatch: 'No bookmark matches this rule now.',
  applyTitle: (count: number) => `Apply it to ${common.bookmarks(count)}?`,
  applyText: (count: number, does: string) => `${number(count)} ${words(count)}. ${does}. You can undo this.`,
  applySubmit: 'Apply',
  applying: 'Applying a rule …',
  applied: (count: number, isNew: boolean) =>
    `Rule ${isNew ? 'saved and applied' : 'applied'}: ${common.bookmarks(count)} changed.`
}
