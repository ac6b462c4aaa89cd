/** The desktop host: the service, its windows, and the command line for machines without Node. */
import { answerCommand } from './command.ts'
import { readLaunch } from './launch.ts'
import { giveUp, runApp } from './run-app.ts'

// `electron .` has the app's folder as its first argument.
const args = process.argv.slice(process.defaultApp ? 2 : 1)

// Not awaited here: Electron becomes ready only once this module has run to its end.
start().catch(giveUp)

async function start(): Promise<void> {
  const launch = readLaunch(args)
  if (launch.kind === 'app') return runApp(launch)
  await answerCommand(launch.args, args, async (command) => {
    const { runCommandLine } = await import('../cli/program.ts')
    return runCommandLine(command)
  })
}
