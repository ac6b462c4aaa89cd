/** The command line and the headless host, in one program. */
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Compiled code is cached for the next start, in a folder that only those who may change this program can write to. If
// NODE_COMPILE_CACHE names another folder, Node uses that.
const { directory } = enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/earmark'))
// Threads read it.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory

// An account without a home, as in some containers, has no default folders: nothing can be created in this one.
try {
  homedir()
} catch {
  process.env.HOME = '/dev/null'
}

const { runCommandLine } = await import('./program.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
