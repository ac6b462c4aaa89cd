/** Saved searches. */
export const searches = {
  title: 'Saved searches',
  save: 'Save search',
  saveTitle: 'Save this search',
  nameMissing: 'A saved search needs a name.',
  saved: (name: string) => `Saved as “${name}”.`,
  notSaved: (name: string) => `“${name}” is no longer saved.`,
  more: (name: string) => `More about ${name}`,
  rename: 'Rename',
  renameTitle: (name: string) => `Rename “${name}”`,
  renamed: (name: string) => `Renamed to “${name}”.`,
  renamedBack: (name: string) => `Renamed back to “${name}”.`,
  delete: 'Delete',
  deleted: (name: string) => `“${name}” is deleted. Its bookmarks stay.`,
  restored: (name: string) => `“${name}” is restored.`
}
