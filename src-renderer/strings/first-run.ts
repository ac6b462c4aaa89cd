/** What an empty library says. */
export const firstRun = {
  title: 'Welcome to Earmark',
  text: 'Your bookmarks stay on this machine. Three ways to begin:',
  save: 'Save your first bookmark',
  saveText: 'A page, an image, a color or a piece of text. Or paste something here, anywhere.',
  saveAction: 'Add a bookmark',
  import: 'Import what you have',
  importText: 'The bookmark file that any browser exports as HTML. Nothing is saved twice.',
  importAction: 'Choose a file',
  importing: 'Importing …',
  imported: (imported: number, duplicate: number, rejected: number) =>
    `${imported.toLocaleString('en')} imported, ${duplicate.toLocaleString('en')} already there, ${rejected.toLocaleString('en')} rejected.`,
  connect: 'Connect an editor',
  connectText: 'Give the agent in your editor a key, and it saves and finds bookmarks too.',
  connectAction: 'Create an API key',
  address: 'Earmark answers at'
}
