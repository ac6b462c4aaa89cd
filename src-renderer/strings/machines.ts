import { common } from './common.ts'

const PROGRESS = { sending: 'Sending bookmarks', receiving: 'Receiving bookmarks' }

/** The same bookmarks on several machines. */
export const machines = {
  title: 'Several machines',
  text:
    'Keep the same bookmarks on several machines, through a folder that another program copies between them (Syncthing, ' +
    'Dropbox, iCloud Drive or a network drive) or a folder on a WebDAV server (Nextcloud). Everything in it is encrypted.',
  failed: 'The state of synchronization could not be read.',
  folder: 'Folder',
  folderHint: 'Its full path, or its address on a WebDAV server, which begins with https://',
  user: 'User name on the server',
  password: 'Password',
  passwordHint:
    'It is kept in the keychain, or without one in a file only you can read. On Nextcloud, make an app password.',
  changePassword: 'Change password',
  newPassword: 'New password on the server',
  passwordChanged: 'The server accepts the new password.',
  name: 'Name of this machine',
  nameHint: 'Laptop',
  first: 'First machine',
  joins: 'Join other machines',
  code: 'Sync code',
  codeHint: 'On a machine that synchronizes: Settings, Several machines, Show the code',
  begin: 'Begin',
  join: 'Join',
  joinTitle: 'Join the other machines?',
  preview: ({ here, there, same }: { here: number; there: number; same: number }) =>
    `${common.bookmarks(there - same)} will be new here, ${common.bookmarks(here - same)} new on the others, and ` +
    `${common.bookmarks(same)} are on both sides. Yours are backed up first.`,
  joined: 'This machine has joined. Bookmarks come in while Earmark runs.',
  now: 'Sync now',
  done: (sent: number, received: number) =>
    sent + received === 0
      ? 'Everything is up to date.'
      : `Sent ${common.number(sent)}, received ${common.number(received)} changes.`,
  pause: 'Pause',
  resume: 'Resume',
  paused: 'Paused.',
  progress: PROGRESS,
  percent: (work: keyof typeof PROGRESS, share: number) => `${PROGRESS[work]}: ${Math.floor(share * 100)} %.`,
  upToDate: 'All changes of this machine are sent.',
  unsent: (count: number) => `${common.number(count)} changes of this machine are not sent yet.`,
  resent: 'Files were missing from the sync folder. This machine sent all of its bookmarks again',
  through: (name: string, folder: string) => `This machine is “${name}”. It synchronizes through ${folder}`,
  others: 'Other machines',
  none: 'Nothing has come from other machines yet.',
  seen: 'last received',
  show: 'Show the code',
  hide: 'Hide the code',
  copyCode: 'Copy the sync code now',
  copyCodeText:
    'Keep it in a safe place, such as a password manager. If this machine is lost, nobody can read the folder without it.',
  codeText:
    'On the other machine select Join other machines, and enter the same folder and this code. Whoever has both can read and ' +
    'change your bookmarks.',
  leave: 'Leave',
  leaveTitle: 'Stop synchronizing this machine?',
  leaveText:
    'The bookmarks on this machine stay. Later changes are not sent, and none are received. If this is the only machine, keep ' +
    'the sync code: without it nobody can read the folder.',
  left: 'This machine is no longer synchronized.'
}
