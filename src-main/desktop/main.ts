/** The desktop host: the service, its windows, and the command line for machines without Node. */
import { app } from 'electron'
import { startKeychainWith } from '../host/open-or-find.ts'
import { startUtilityProcess } from './keychain-process.ts'
import { readLaunch } from './launch.ts'
import { giveUp, runApp } from './run-app.ts'

// `electron .` has the app's folder as its first argument.
const args = process.argv.slice(process.defaultApp ? 2 : 1)

// Not awaited here: Electron becomes ready only once this module has run to its end.
start().catch(giveUp)

async function start(): Promise<void> {
  const launch = readLaunch(args)
  if (launch.kind === 'app') return runApp(launch)
  await answerCommand(launch.args)
}

/** As in a terminal: no window, no tray, and the exit code the command line has. */
async function answerCommand(command: string[]): Promise<void> {
  await app.whenReady()
  app.dock?.hide()
  startKeychainWith(startUtilityProcess)
  const { runCommandLine } = await import('../serve/program.ts')
  app.exit(await runCommandLine(command))
}
