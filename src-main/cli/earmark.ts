/** The command line and the headless host, in one program. */
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Compiled code is cached for the next start. Only users who may change this program can write to the folder. If
// NODE_COMPILE_CACHE names another folder, Node uses that one.
const { directory } = enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/earmark'))
// Threads read this variable.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory

// An account without a home, as in some containers, has no default folders. Nothing can be created in /dev/null.
try {
  homedir()
} catch {
  process.env.HOME = '/dev/null'
}

// npm runs scripts in the package's folder. Relative paths are relative to the folder in which a person called npm.
const { npm_lifecycle_event, INIT_CWD } = process.env
if (npm_lifecycle_event === 'earmark' && INIT_CWD && existsSync(INIT_CWD)) process.chdir(INIT_CWD)

const { runCommandLine } = await import('./program.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
