import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import { KEYS_UNKNOWN } from '../contract/doctor.ts'
import { asTyped } from '../host/own-program.ts'
import { startProblem, type Way } from './start-problem.ts'

/** Says why Earmark cannot start, and asks what to do. */
export async function askAboutStart(error: unknown): Promise<Way> {
  const { message, detail, ways } = startProblem(error)
  const labels = ways.map(({ label }) => label)
  return ways[await ask('error', message, detail, labels, ways.length - 1)]?.way ?? 'quit'
}

/** Asks once more before a library without bookmarks takes the place of a lost one. */
export async function confirmEmpty(): Promise<boolean> {
  const detail = 'What is left of the library now is kept in a folder of its own inside the data folder.'
  return (await ask('warning', 'Start with an empty library?', detail, ['Cancel', 'Start Empty'])) === 1
}

/** Says that keys which were revoked since the restored backup work again. */
export async function tellAboutKeys(): Promise<void> {
  await ask('warning', 'Check your API keys', KEYS_UNKNOWN, ['OK'])
}

/** Says, the first time the window closes, that Earmark goes on. True when the person would rather quit. */
export async function explainTray(platform: NodeJS.Platform): Promise<boolean> {
  const message = `Earmark stays in the ${platform === 'darwin' ? 'menu bar' : 'tray'}`
  const detail =
    'Your editors can go on searching and saving. Open the window again, or quit, from its icon there. ' +
    'Settings can change this.'
  return (await ask('info', message, detail, ['OK', 'Quit Earmark'])) === 1
}

/**
 * Asks whether a page that is still at work may go, and waits: the page does too.
 *
 * @returns true when it may
 */
export function askToLeave(window: BrowserWindow): boolean {
  const detail = 'If you leave now, the import stops. What was imported stays.'
  const box = boxOf('warning', 'A file is still being imported', detail, ['Go On Importing', 'Leave'])
  return dialog.showMessageBoxSync(window, box) === 1
}

/** Says that the page ended again and again. True when it is to be tried once more. */
export async function askToReload(): Promise<boolean> {
  const login = asTyped('earmark login')
  const detail = `Your bookmarks are safe, and your editors can go on. ${login} opens the dashboard in a browser.`
  return (await ask('error', 'The window keeps failing', detail, ['Try Again', 'Quit Earmark'])) === 0
}

/** Says that something happened which should not have. True when the person would rather quit. */
export async function tellBug(): Promise<boolean> {
  const detail =
    'What was saved is safe. earmark.log in the data folder says more. If Earmark behaves oddly, restart it.'
  return (await ask('error', 'Something unexpected happened', detail, ['Go On', 'Quit Earmark'])) === 1
}

/** Says that what was chosen in a menu could not be put into force. */
export async function tellRefused(): Promise<void> {
  await ask('error', 'The system did not accept this setting', 'It stays as it was.', ['OK'])
}

/** Shows a box. Returns the index of the button that was pressed. */
async function ask(...box: Parameters<typeof boxOf>): Promise<number> {
  return (await dialog.showMessageBox(boxOf(...box))).response
}

/** @param cancelId the button that Escape stands for */
function boxOf(
  type: 'info' | 'warning' | 'error',
  message: string,
  detail: string,
  buttons: string[],
  cancelId = 0
): MessageBoxOptions {
  return { type, title: 'Earmark', message, detail, buttons, defaultId: 0, cancelId, noLink: true }
}
