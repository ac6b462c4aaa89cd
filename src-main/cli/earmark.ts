/** The command line and the headless host, in one program. */
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Compiled once for the next start. Beside the packages, which belong to whoever may change this program anyway; where
// NODE_COMPILE_CACHE names another folder, Node keeps to that.
const { directory } = enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/earmark'))
// Threads are told of it so.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory

// Whose account has no home, as in some containers, has no default folders: nothing can be made in this one.
try {
  homedir()
} catch {
  process.env.HOME = '/dev/null'
}

const { runCommandLine } = await import('./program.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
