/** The language of these texts, in the region of the browser. */
const locale = `en-${new Intl.Locale(navigator.language).maximize().region}`
const number = new Intl.NumberFormat(locale)
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })

/** The extension's texts. */
export const strings = {
  save: 'Save',
  saveChanges: 'Save changes',
  saving: 'Saving …',
  saved: 'Saved.',
  changed: 'Changed.',
  existing: 'Already saved.',
  removed: 'Removed.',
  savedOn: (time: string, organization: string | null) =>
    `Saved on ${date.format(new Date(time))}${organization === null ? '' : ` in ${organization}`}`,
  words: (count: number) => (count === 1 ? '1 word' : `${number.format(count)} words`),
  noText: 'This page has no text to send.',
  privateText: 'The text of a private window is never sent.',
  cannotSave: 'This page cannot be saved: Earmark saves web pages only.',
  takeTag: (tag: string) => `Add the tag “${tag}”`,
  removeTag: (tag: string) => `Remove ${tag}`,
  notConnected:
    'Earmark does not know this browser yet. In Earmark’s dashboard open Settings, Browser, and connect it. ' +
    'Or run: earmark connect chromium (or chrome, edge, brave, firefox).',
  ended: 'Earmark did not answer. Try again; if that does not help, start Earmark.',
  menus: { link: 'Save link to Earmark', image: 'Save image to Earmark', selection: 'Save selection to Earmark' },
  title: 'Save to Earmark',
  isSaved: 'Saved in Earmark',
  didSave: 'Saved to Earmark',
  failed: (reason: string) => `Not saved. ${reason}`,
  searchFor: 'Search Earmark for',
  noneFound: 'Nothing found.',
  found: (count: number) => (count === 1 ? '1 bookmark' : `${count} bookmarks`),
  untitled: 'Untitled'
}
