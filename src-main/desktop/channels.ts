/** The IPC channels. CALLS are answered, MESSAGES are not. */
export const CALLS = {
  copyText: 'copy-text',
  readSettings: 'read-settings',
  changeSettings: 'change-settings',
  closeCapture: 'close-capture',
  setCaptureView: 'set-capture-view',
  openPage: 'open-page',
  copyResult: 'copy-result',
  openBookmark: 'open-bookmark',
  readPicture: 'read-picture'
} as const

export const MESSAGES = {
  showBookmark: 'show-bookmark',
  beginCapture: 'begin-capture'
} as const
