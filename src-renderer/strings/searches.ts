/** Saved searches. */
export const searches = {
  title: 'Saved searches',
  save: 'Save search',
  saveTitle: 'Save this search',
  nameMissing: 'A saved search needs a name.',
  saved: (name: string) => `Saved as “${name}”.`,
  more: (name: string) => `More about ${name}`,
  pin: 'Pin to the top',
  unpin: 'Unpin',
  rename: 'Rename',
  renameTitle: (name: string) => `Rename “${name}”`,
  renamed: (name: string) => `Renamed to “${name}”.`,
  delete: 'Delete',
  deleted: (name: string) => `“${name}” is deleted. Its bookmarks stay.`
}
