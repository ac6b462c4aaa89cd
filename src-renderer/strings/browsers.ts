/** The browser extension, in settings. */
export const browsers = {
  title: 'Browser extension',
  text:
    'Save pages with their tags and their text from your browser’s own button, see which are saved, and search from the ' +
    'address bar. The extension speaks to Earmark through a small program, which must be registered with each browser.',
  failed: 'The browsers could not be listed.',
  list: 'Browsers',
  none: 'No supported browser was found.',
  connected: 'Connected',
  notConnected: 'Not connected',
  sandbox: (kind: string) => `A browser from ${kind} cannot start Earmark. Use the bookmarklet in it.`,
  connect: 'Connect',
  connectTo: (name: string) => `Connect ${name}`,
  disconnect: 'Disconnect',
  disconnectFrom: (name: string) => `Disconnect ${name}`,
  didConnect: (name: string) => `${name} is connected.`,
  didDisconnect: (name: string) => `${name} is not connected any more.`,
  install: {
    chromium:
      'To install the extension in Chrome, Chromium, Edge or Brave: open chrome://extensions there, switch Developer mode ' +
      'on, choose Load unpacked and take this folder.',
    firefox:
      'In Firefox: open about:debugging, This Firefox, Load Temporary Add-on. Firefox removes the extension when it closes, ' +
      'because it is not signed.'
  },
  folder: { chromium: 'Folder for Chromium browsers', firefox: 'File for Firefox' }
}
