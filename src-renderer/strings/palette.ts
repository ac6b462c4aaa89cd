/** The command palette. */
export const palette = {
  label: 'Find a bookmark or a command',
  hint: 'Find a bookmark or a command …',
  selection: 'Selection',
  bookmarks: 'Bookmarks',
  searches: 'Saved searches',
  tags: 'Tags',
  organizations: 'Organizations',
  search: 'Search',
  searchAll: (words: string) => `Search all for “${words}”`,
  results: 'Results',
  go: 'Go to',
  do: 'Do',
  add: 'Add a bookmark',
  import: 'Import bookmarks',
  duplicates: 'Find duplicates',
  undo: 'Undo the last change',
  redo: 'Do it again',
  shortcuts: 'Show keyboard shortcuts',
  light: 'Light theme',
  dark: 'Dark theme',
  system: 'System theme'
}
