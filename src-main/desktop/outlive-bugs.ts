import { app } from 'electron'
import { tellBug } from './dialogs.ts'

/**
 * An error that nobody caught does not end the app: it is logged and told once, and its owner decides. What was acknowledged
 * is on disk, and the store undoes what it could not finish; a window's or a menu's fault is no reason to stop serving.
 * Electron itself would show the stack of each.
 *
 * @returns what to call with such an error
 */
export function outliveBugs(log: (error: unknown) => void): (error: unknown) => void {
  let told = false

  function onBug(error: unknown): void {
    log(error)
    if (told) return
    told = true
    void app
      .whenReady()
      .then(tellBug)
      .then((end) => end && app.quit())
  }

  process.on('uncaughtException', onBug)
  process.on('unhandledRejection', onBug)
  return onBug
}
