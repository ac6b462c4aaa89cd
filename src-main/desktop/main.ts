/** The desktop host: the service with its windows, and the command line for machines without Node. */
import { join } from 'node:path'
import { utilityProcess } from 'electron'
import type { StartProcess } from '../contract/ports.ts'
import { startProcessesWith } from '../host/own-program.ts'
import { answerCommand } from './command.ts'
import { readLaunch } from './launch.ts'
import { runApp, showStartFailure } from './run-app.ts'

/** Starts a utility process, because the packaged app's fuses forbid plain Node processes. Works after `ready` only. */
const startUtilityProcess: StartProcess = (program) => {
  const child = utilityProcess.fork(join(import.meta.dirname, `${program}.js`), [], {
    stdio: 'ignore',
    serviceName: `Earmark ${program}`
  })
  return {
    send: (request) => child.postMessage(request),
    onReply(listener) {
      child.on('message', listener)
      child.once('exit', () => listener(undefined))
    },
    kill: () => child.kill()
  }
}

startProcessesWith(startUtilityProcess)
// `electron .` has the app's folder as its first argument.
const args = process.argv.slice(process.defaultApp ? 2 : 1)
// Not awaited here, because Electron becomes ready only after this module was executed completely.
start().catch(showStartFailure)

async function start(): Promise<void> {
  const launch = readLaunch(args)
  if (launch.kind === 'app') return runApp(launch)
  await answerCommand(launch.args, args, async (command) => {
    const { runCommandLine } = await import('../cli/program.ts')
    return runCommandLine(command)
  })
}
