/** The IPC channels. Calls of ASK are answered, messages of TELL are not. */
export const ASK = {
  copyText: 'copy-text',
  readSettings: 'read-settings',
  changeSettings: 'change-settings',
  closeCapture: 'close-capture',
  setCaptureView: 'set-capture-view',
  openPage: 'open-page',
  copyFound: 'copy-found',
  openBookmark: 'open-bookmark',
  readPicture: 'read-picture'
} as const

export const TELL = {
  showBookmark: 'show-bookmark',
  beginCapture: 'begin-capture'
} as const
