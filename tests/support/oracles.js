// The conformance suite, the Inspector and older clients, which only `npm run test:all` needs: 150 MB in tests/node_modules.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const tests = join(import.meta.dirname, '..')
const marker = join(tests, 'node_modules/.earmark-lock')

/**
 * Installs them, unless they are there as their lockfile says. Ends the process, with one line that says what to do, where
 * that does not work.
 */
export function installOracles() {
  const lock = createHash('sha256')
    .update(readFileSync(join(tests, 'package-lock.json')))
    .digest('hex')
  if (installed() === lock) return
  console.log('Installing for the tests: the packages in tests/package.json')
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', args, {
    cwd: tests,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32'
  })
  if (status !== 0) {
    console.error('The packages in tests/package.json could not be installed. Try again with a network.')
    process.exit(1)
  }
  writeFileSync(marker, lock)
}

function installed() {
  try {
    return readFileSync(marker, 'utf8')
  } catch {
    return undefined
  }
}
