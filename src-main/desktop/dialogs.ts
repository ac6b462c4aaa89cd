import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import { KEYS_UNKNOWN } from '../contract/doctor.ts'
import { Problem, type ProblemCode } from '../contract/problem.ts'
import { describeLoss, LibraryLost } from '../host/open-library.ts'
import { asTyped } from '../host/own-program.ts'

/** Shows why Earmark cannot start, and returns the choice. */
export async function askAboutStart(error: unknown): Promise<Way> {
  const { message, detail, ways } = startProblem(error)
  const labels = ways.map(({ label }) => label)
  return ways[await ask('error', message, detail, labels, ways.length - 1)]?.way ?? 'quit'
}

/** Asks for confirmation before an empty library replaces a lost library. */
export async function confirmEmpty(): Promise<boolean> {
  const detail = 'The files of the current library are kept in another folder inside the data folder.'
  return (await ask('warning', 'Start with an empty library?', detail, ['Cancel', 'Start Empty'])) === 1
}

/** Warns that keys that were revoked after the restored backup work again. */
export async function warnAboutKeys(): Promise<void> {
  await ask('warning', 'Check your API keys', KEYS_UNKNOWN, ['OK'])
}

/** Explains, when the window first closes, that Earmark keeps running. @returns whether to quit instead */
export async function explainTray(platform: NodeJS.Platform): Promise<boolean> {
  const message = `Earmark stays in the ${platform === 'darwin' ? 'menu bar' : 'tray'}`
  const detail =
    'Your editors can go on searching and saving. Open the window again, or quit, from its icon there. ' +
    'Settings can change this.'
  return (await ask('info', message, detail, ['OK', 'Quit Earmark'])) === 1
}

/**
 * Asks whether a page that is still importing may close. Blocks until the owner answers, because the page waits for it.
 * @returns whether the page may close
 */
export function askToLeave(window: BrowserWindow): boolean {
  const detail = 'If you leave now, the import stops. Bookmarks that were imported stay.'
  const box = boxOf('warning', 'A file is still being imported', detail, ['Go On Importing', 'Leave'])
  return dialog.showMessageBoxSync(window, box) === 1
}

/** Reports that the page keeps crashing. @returns whether to load it again */
export async function askToReload(): Promise<boolean> {
  const login = asTyped('earmark login')
  const detail = `Your bookmarks are safe, and your editors can go on. ${login} opens the dashboard in a browser.`
  return (await ask('error', 'The window keeps failing', detail, ['Try Again', 'Quit Earmark'])) === 0
}

/** Reports an unexpected error. @returns whether to quit */
export async function showBug(): Promise<boolean> {
  const detail =
    'What was saved is safe. earmark.log in the data folder says more. If Earmark behaves oddly, restart it.'
  return (await ask('error', 'Something unexpected happened', detail, ['Go On', 'Quit Earmark'])) === 1
}

/** Reports that the system refused a choice in a menu. */
export async function showRefused(): Promise<void> {
  await ask('error', 'The system did not accept this setting', 'It stays as it was.', ['OK'])
}

/** Shows a box. @returns the index of the pressed button */
async function ask(...box: Parameters<typeof boxOf>): Promise<number> {
  return (await dialog.showMessageBox(boxOf(...box))).response
}

/** @param cancelId the index of the button for Escape */
function boxOf(
  type: 'info' | 'warning' | 'error',
  message: string,
  detail: string,
  buttons: string[],
  cancelId = 0
): MessageBoxOptions {
  return { type, title: 'Earmark', message, detail, buttons, defaultId: 0, cancelId, noLink: true }
}

/** The choices after a failed start. `other-port` also changes the port in settings. */
export type Way = 'retry' | 'other-port' | 'restore' | 'start-empty' | 'show-folder' | 'quit'

interface StartProblem {
  message: string
  detail: string
  ways: { way: Way; label: string }[]
}

const LABELS: Record<Way, string> = {
  retry: 'Try Again',
  'other-port': 'Use Another Port',
  restore: 'Restore Backup',
  'start-empty': 'Start Empty…',
  'show-folder': 'Show Data Folder',
  quit: 'Quit'
}

/** Describes why Earmark cannot start, and the choices. */
export function startProblem(error: unknown): StartProblem {
  const { code, message: detail } =
    error instanceof Problem
      ? error
      : { code: undefined, message: 'This should not have happened. earmark.log in the data folder says more.' }
  const { message, ways } = (code && KNOWN[code]) ?? { message: 'Earmark could not start', ways: ['retry', 'quit'] }
  if (error instanceof LibraryLost) return lostLibrary(message, error)
  const folder = code === undefined ? (['show-folder'] as const) : []
  return { message, detail, ways: [...folder, ...ways].map((way) => ({ way, label: LABELS[way] })) }
}

/** Describes a lost library, and the choices. Nothing replaces the library before a person chooses it. */
function lostLibrary(message: string, { message: reason, recovery }: LibraryLost): StartProblem {
  const ways: Way[] = [
    ...(recovery.backup ? (['restore'] as const) : []),
    'start-empty',
    'show-folder',
    'retry',
    'quit'
  ]
  return {
    message,
    detail: `${reason} ${describeLoss(recovery)}`,
    ways: ways.map((way) => ({ way, label: LABELS[way] }))
  }
}

const KNOWN: Partial<Record<ProblemCode, { message: string; ways: Way[] }>> = {
  'port-taken': { message: 'Another program uses Earmark’s port', ways: ['retry', 'other-port', 'quit'] },
  'store-too-old': { message: 'An early version of Earmark wrote this library', ways: ['show-folder', 'quit'] },
  'store-too-new': { message: 'This library needs a newer Earmark', ways: ['show-folder', 'quit'] },
  'library-missing': { message: 'The library is missing', ways: ['show-folder', 'retry', 'quit'] },
  'library-damaged': { message: 'The library is damaged', ways: ['show-folder', 'retry', 'quit'] },
  'not-a-library': { message: 'This file is not an Earmark library', ways: ['show-folder', 'quit'] },
  'library-in-use': { message: 'Earmark is running already', ways: ['retry', 'quit'] },
  'data-folder-unusable': { message: 'The data folder cannot be used', ways: ['retry', 'quit'] },
  'disk-full': { message: 'The disk is full', ways: ['retry', 'show-folder', 'quit'] }
}
