/** The command line and the headless host, in one program. */
import { runCommandLine } from './program.ts'

process.exitCode = await runCommandLine(process.argv.slice(2))
