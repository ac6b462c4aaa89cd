// Before and after a run of Vitest or Playwright: builds what the tests start, gives them a temporary folder of their
// own, and tells what they left in it.
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPrograms } from './build-programs.js'

/** As much as the largest libraries of `npm run test:all -- full` take, several times over, in bytes. */
const ROOM = 4 * 2 ** 30

/** @type {Promise<void> | undefined} */
let built

/**
 * Vitest asks once for each of its projects, Playwright once.
 *
 * @param {unknown} runner
 * @returns {Promise<() => void>} fails when something was left behind
 */
export default async function setUp(runner) {
  const first = !built
  // `npm test` runs several times with the same.
  built ??= process.env.EARMARK_PROGRAMS_BUILT ? Promise.resolve() : buildPrograms()
  await built
  // While watching, before each further run.
  const { onTestsRerun } = Object(runner)
  if (first && onTestsRerun) onTestsRerun.call(runner, () => buildPrograms())
  return first ? ownFolder() : () => {}
}

function ownFolder() {
  const folder = mkdtempSync(join(fastFolder(), 'earmark-run-'))
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder
  return () => {
    const left = readdirSync(folder, { recursive: true }).slice(0, 20)
    rmSync(folder, { recursive: true, force: true })
    if (left.length > 0) throw new Error(`The tests left behind in the temporary folder: ${left.join(', ')}`)
  }
}

/** Where there is one in memory with room enough, nobody waits for a disk. */
function fastFolder() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > ROOM ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}
