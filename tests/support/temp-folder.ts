import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, onTestFinished } from 'vitest'

type Work = () => void | Promise<void>

/** Creates an empty folder, named after the test's file and removed after the test. */
export function tempFolder(afterwards: (remove: Work) => void = onTestFinished): string {
  const file = basename(expect.getState().testPath ?? 'test', '.test.ts')
  const folder = mkdtempSync(join(tmpdir(), `earmark-${file}-`))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Called at the top of a file, returns a function that registers work for the end of the file. Unlike `afterAll`, hooks may
 * call that function. The work that was registered last runs first.
 */
export function later(): (work: Work) => void {
  const all: Work[] = []
  afterAll(async () => {
    for (const work of all.reverse()) await work()
  })
  return (work) => void all.push(work)
}
