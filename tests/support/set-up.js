// Before and after a run of Vitest or Playwright: builds the programs that tests start, and gives the tests a temporary
// folder, which they must leave empty.
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPrograms } from './build-programs.js'

/** Several times the largest library of `npm run test:all -- full`, in bytes. */
const MIN_FREE = 4 * 2 ** 30

let isSetUp = false

/** @param {{ onTestsRerun?: (build: () => Promise<void>) => void }} runner */
export default async function setUp(runner) {
  // Vitest calls this for each project.
  if (isSetUp) return
  isSetUp = true
  // `npm test` builds once for several runs.
  if (!process.env.EARMARK_PROGRAMS_BUILT) await buildPrograms()
  runner.onTestsRerun?.(() => buildPrograms())
  const folder = mkdtempSync(join(hasMemoryDisk() ? '/dev/shm' : tmpdir(), 'earmark-run-'))
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder
  return () => {
    // A Chromium that is killed leaves its lock, and a page that it captured.
    const names = readdirSync(folder).filter((name) => !/^\.?org\.chromium\./.test(name))
    const left = names.map((name) => [name, ...list(join(folder, name))].join(' '))
    rmSync(folder, { recursive: true, force: true })
    if (left.length > 0) throw new Error(`The tests left behind in the temporary folder: ${left.join(', ')}`)
  }
}

/** Names of the files in a folder; empty for a file. */
function list(path) {
  return lstatSync(path).isDirectory() ? readdirSync(path) : []
}

function hasMemoryDisk() {
  if (!existsSync('/dev/shm')) return false
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize > MIN_FREE
}
