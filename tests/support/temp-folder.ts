import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

/** An empty folder that is gone after the test, named after the test's file. */
export function tempFolder(afterwards: (remove: () => void | Promise<void>) => void = onTestFinished): string {
  const file = basename(expect.getState().testPath ?? 'test', '.test.ts')
  const folder = mkdtempSync(join(tmpdir(), `earmark-${file}-`))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
