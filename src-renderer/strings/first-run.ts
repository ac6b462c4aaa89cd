/** Texts of an empty library. */
export const firstRun = {
  title: 'Welcome to Earmark',
  text: 'Your bookmarks stay on this machine. Three ways to begin:',
  save: 'Save your first bookmark',
  saveText: 'A page, an image, a color or a piece of text. Or paste something here, anywhere.',
  saveAction: 'Add a bookmark',
  import: 'Import your bookmarks',
  importText: 'From any browser or bookmark manager. Nothing is saved twice, and all of it can be undone.',
  importAction: 'Import a file',
  connect: 'Connect an editor',
  connectText: 'Give the agent in your editor a key, and it saves and finds bookmarks too.',
  connectAction: 'Create an API key',
  address: 'Earmark’s address'
}
