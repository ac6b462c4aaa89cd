import { dialog } from 'electron'
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

/** Says that what was chosen in a menu could not be put into force. */
export async function tellRefused(): Promise<void> {
  await dialog.showMessageBox({
    type: 'error',
    title: 'Earmark',
    message: 'The system did not take this setting',
    detail: 'It stays as it was.',
    buttons: ['OK'],
    noLink: true
  })
}
