import { common } from './common.ts'
import { fileSize, number } from './format.ts'

/** Settings. */
export const settings = {
  failed: 'The settings could not be read.',
  parts: {
    general: 'General',
    rules: 'Rules',
    import: 'Import & backup',
    machines: 'Several machines',
    browser: 'Browser',
    advanced: 'Advanced'
  },
  appearance: 'Appearance',
  theme: 'Theme',
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  saving: 'Saving',
  visibility: 'New bookmarks are',
  private: 'Private',
  privateText: 'Only you and your own keys see them.',
  public: 'Public',
  publicText: 'Keys of your organizations see them too.',
  details: 'Fetch page details',
  detailsText:
    'Titles, descriptions, pictures and texts come from the pages you save. Apart from these requests, and from what you ' +
    'synchronize, nothing leaves this machine.',
  detailsOff:
    'Earmark was started with --no-fetch, so it fetches nothing. Start it without that option to choose here.',
  service: 'Service',
  port: 'Port',
  portText: (current: string) =>
    `Earmark listens on ${current} now. A new port is used from the next start. Your editors then need the new address.`,
  portFault: 'Enter a number from 1024 to 65535.',
  usual: 'Use 20727 again',
  saved: 'Saved.',
  savedPort: (port: number) => `Saved. Earmark listens on ${port} from its next start.`,
  data: 'Your data',
  folder: 'Data folder',
  folderText: 'Everything is in this folder, which only your account can read.',
  transfer: 'Import and export',
  importText:
    'Bring in bookmarks from a browser or another bookmark manager. Dropping a file on any page does the same.',
  import: 'Import a file',
  pastImports: 'Past imports',
  pastImport: (date: string, count: number) => `${date}: ${common.bookmarks(count)}`,
  pastJoin: (date: string, count: number) => `${date}: ${common.bookmarks(count)} from your other machines`,
  undoEverywhere:
    'This happens on your other machines too. To take them back only here, first leave in Several machines.',
  undoImport: (date: string, count: number) => `Undo the import of ${common.bookmarks(count)} of ${date}`,
  undoManyTitle: 'Undo this import?',
  undoManyText: (count: number) =>
    `${common.bookmarks(count)} will be moved to the trash. What you changed since the import stays.`,
  importUndone: 'Undone',
  undoingImport: 'Undoing the import …',
  undoneInPart: (count: number) =>
    `Stopped: ${number(count)} moved to the trash, the rest is still there. Undo again to continue.`,
  undoneUntil: (count: number, why: string) => `${common.bookmarks(count)} moved to the trash. ${why}`,
  undoneImport: (count: number, kept: number) =>
    `${common.bookmarks(count)} moved to the trash${kept > 0 ? `; ${number(kept)} changed since and stay` : ''}.`,
  exportAs: 'Export everything as',
  export: 'Export',
  backups: 'Backups',
  backupsText:
    'While Earmark runs, it backs up the library every day and checks the copy. It keeps the last 7 daily and 4 weekly ' +
    'backups, and the last 3 that you made yourself.',
  backUp: 'Back up now',
  backedUp: (size: string) => `Backed up, ${size}.`,
  backupsFailed: 'The backups could not be listed.',
  backupKinds: {
    daily: 'Daily',
    weekly: 'Weekly',
    manual: 'Made by you',
    'before-migration': 'Before an update of Earmark',
    'before-restore': 'Before the restore'
  },
  backupFacts: (kind: string, size: string) => `${kind}, ${size}`,
  restoreShort: 'Restore',
  restoreLabel: (date: string) => `Restore the backup of ${date}`,
  restore: 'Restore this backup',
  restoreTitle: (date: string) => `Restore the backup of ${date}?`,
  restoreLoss: (date: string) =>
    `The library returns to its state at that time. Changes made after ${date} will not be in it.`,
  restoreKept: 'The library as it is now is added to this list as “Before the restore”, so you can go back to it.',
  restoreKeys:
    'Editors with a key made since then need a new one; keys revoked since then stay revoked. Other places where you ' +
    'are logged in are logged out.',
  restored: (count: number, old: { kept: string | null; keptAsBackup: boolean }) => {
    const said = `Restored: ${common.bookmarks(count)}.`
    if (old.keptAsBackup) return `${said} The old library is in the list of backups as “Before the restore”.`
    return old.kept === null ? said : `${said} The old library could not be added to the backups. It is in ${old.kept}.`
  },
  copies: 'Copy each backup to',
  copiesText: 'A folder on another disk, or one that is synced: it gets the same backups, in a folder of their own.',
  copiesHint: '/media/disk/backups',
  copiesOn: (folder: string) => `Each backup is copied to ${folder}.`,
  copiesOff: 'Backups are no longer copied. Existing copies stay.',
  copiesFault: 'The copies are not up to date',
  copiesStop: 'Stop copying',
  synced: (program: string) => `${program} syncs the data folder`,
  syncedText:
    'That program may copy the library while Earmark writes to it, or replace it with a library from another computer. You can ' +
    'then lose bookmarks. Move the data folder elsewhere and start Earmark with --data. Copy backups to the synced folder instead.',
  help: 'Help',
  helpText: (version: string) =>
    `This is Earmark ${version}. In its folder, README.md says what it can do, docs/search.md how to search, docs/develop/hosts.md ` +
    'how editors connect, and docs/recovery.md what to do when something is broken.',
  log: 'Log',
  logText: 'Errors are written here. It contains nothing about your bookmarks.',
  shortcuts: 'Keyboard shortcuts',
  duplicates: 'Find duplicates',
  duplicatesText: 'Pages that were saved more than once, under addresses that differ a little, can be merged.',
  status: 'Status',
  address: 'Address',
  endpoint: 'MCP endpoint',
  alive: 'Connected',
  away: 'Not connected',
  version: 'Version',
  askVersion: 'Check for a newer version',
  isNewest: 'This is the newest version.',
  newer: (version: string) => `Version ${version} is available.`,
  download: 'Download',
  since: 'Running since',
  library: 'Library',
  size: (bookmarks: number, bytes: string) => `${common.bookmarks(bookmarks)}, ${bytes}`,
  unindexed: (count: number) => `Preparing search: ${number(count)} to go.`,
  unread: (count: number) => `Fetching page details: ${number(count)}${count < 10_000 ? '' : ' or more'} to go.`,
  backup: 'Last backup',
  noBackup: 'None yet',
  bytes: fileSize
}
