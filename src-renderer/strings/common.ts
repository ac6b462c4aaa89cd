import { counted, number } from './format.ts'

/** Words every page uses. A translation replaces the files of this folder. */
export const common = {
  name: 'Earmark',
  loading: 'Loading …',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  nameField: 'Name',
  undo: 'Undo',
  undone: (what: string) => `Undone: ${what}`,
  redone: (what: string) => `Redone: ${what}`,
  undoneBut: (what: string, kept: number) =>
    `Undone: ${what} Not restored: ${number(kept)}, which changed later or whose duplicate no longer exists.`,
  undoneUntil: (count: number, why: string) => `${number(count)} undone. ${why}`,
  undoing: (what: string) => `Undoing: ${what}`,
  beginning: 'Starting …',
  soFar: (done: number, total: number) => `${number(done)} of ${number(total)}`,
  nothingToUndo: 'There is nothing to undo.',
  nothingToRedo: 'There is nothing to redo.',
  retry: 'Try again',
  copy: (what: string) => `Copy ${what}`,
  copyShort: 'Copy',
  copied: 'Copied',
  copiedText: (text: string) => `Copied ${text}`,
  notCopied: 'The browser does not let this page use the clipboard.',
  typeToConfirm: (name: string) => `Type “${name}” to confirm`,
  unreachable: 'Earmark does not answer. Is it still running?',
  connected: 'Connected',
  notConnected: 'Not connected',
  unexpected: 'Something went wrong that should not have.',
  pageFailed: 'This page could not be loaded.',
  number,
  bookmarks: (count: number) => counted(count, { one: 'bookmark', other: 'bookmarks' })
}
