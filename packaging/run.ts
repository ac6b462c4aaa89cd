import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

const windows = process.platform === 'win32'
// An npm that is started by another takes that one's project and options for its own.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry$)/i.test(name) && name !== 'NODE_ENV')
)

/** Runs a program to its end; where it fails, this one ends as it did. */
export function run(command: string, args: string[], cwd = root): void {
  // On Windows npm is a script, which only a shell starts.
  const shell = windows && command === 'npm'
  const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit', shell })
  if (status !== 0) process.exit(status ?? 1)
}

/** Installs what packages the app, from the lockfile beside this file. */
export function installPackagers(): void {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], import.meta.dirname)
}
