/** Texts of an empty library. */
export const firstRun = {
  title: 'Welcome to Earmark',
  text: 'Your bookmarks stay on this computer. Three ways to start:',
  save: 'Save your first bookmark',
  saveText: 'A page, an image, a color or a text. You can also paste anywhere in this window.',
  saveAction: 'Add a bookmark',
  import: 'Import your bookmarks',
  importText: 'From any browser or bookmark manager. Duplicates are skipped, and you can undo everything.',
  importAction: 'Import a file',
  connect: 'Connect an editor',
  connectText: 'With a key, the agent in your editor can find and save bookmarks.',
  connectAction: 'Create an API key',
  address: 'Earmark’s address'
}
