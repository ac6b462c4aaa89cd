import { type BrowserWindow, dialog } from 'electron'
import { KEYS_UNKNOWN } from '../contract/backup.ts'
import { asTyped } from '../host/own-program.ts'
import { startProblem, type Way } from './start-problem.ts'

/** Says why Earmark cannot start, and asks what to do. */
export async function askAboutStart(error: unknown): Promise<Way> {
  const { message, detail, ways } = startProblem(error)
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Earmark',
    message,
    detail,
    buttons: ways.map(({ label }) => label),
    defaultId: 0,
    cancelId: ways.length - 1,
    noLink: true
  })
  return ways[response]?.way ?? 'quit'
}

/** Asks once more before a library without bookmarks takes the place of a lost one. */
export async function confirmEmpty(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    title: 'Earmark',
    message: 'Start with an empty library?',
    detail: 'What is left of the library now is kept in a folder of its own inside the data folder.',
    buttons: ['Cancel', 'Start Empty'],
    defaultId: 0,
    cancelId: 0,
    noLink: true
  })
  return response === 1
}

/** Says that keys which were revoked since the restored backup work again. */
export async function tellAboutKeys(): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    title: 'Earmark',
    message: 'Check your API keys',
    detail: KEYS_UNKNOWN,
    buttons: ['OK'],
    noLink: true
  })
}

/** Says, the first time the window closes, that Earmark goes on. True when the person would rather quit. */
export async function explainTray(platform: NodeJS.Platform): Promise<boolean> {
  const place = platform === 'darwin' ? 'menu bar' : 'tray'
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: 'Earmark',
    message: `Earmark stays in the ${place}`,
    detail:
      'Your editors can go on searching and saving. Open the window again, or quit, from its icon there. ' +
      'Settings can change this.',
    buttons: ['OK', 'Quit Earmark'],
    defaultId: 0,
    cancelId: 0,
    noLink: true
  })
  return response === 1
}

/**
 * Asks whether a page that is still at work may go, and waits: the page does too.
 *
 * @returns true when it may
 */
export function askToLeave(window: BrowserWindow): boolean {
  const response = dialog.showMessageBoxSync(window, {
    type: 'warning',
    title: 'Earmark',
    message: 'A file is still being imported',
    detail: 'If you leave now, the import stops. What was imported stays.',
    buttons: ['Go On Importing', 'Leave'],
    defaultId: 0,
    cancelId: 0,
    noLink: true
  })
  return response === 1
}

/** Says that the page ended again and again. True when it is to be tried once more. */
export async function askToReload(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Earmark',
    message: 'The window keeps failing',
    detail: `Your bookmarks are safe, and your editors can go on. ${asTyped('earmark login')} opens the dashboard in a browser.`,
    buttons: ['Try Again', 'Quit Earmark'],
    defaultId: 0,
    cancelId: 0,
    noLink: true
  })
  return response === 0
}

/** Says that something happened which should not have. True when the person would rather quit. */
export async function tellBug(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Earmark',
    message: 'Something unexpected happened',
    detail: 'What was saved is safe. earmark.log in the data folder says more. If Earmark behaves oddly, restart it.',
    buttons: ['Go On', 'Quit Earmark'],
    defaultId: 0,
    cancelId: 0,
    noLink: true
  })
  return response === 1
}

/** Says that what was chosen in a menu could not be put into force. */
export async function tellRefused(): Promise<void> {
  await dialog.showMessageBox({
    type: 'error',
    title: 'Earmark',
    message: 'The system did not accept this setting',
    detail: 'It stays as it was.',
    buttons: ['OK'],
    noLink: true
  })
}
