import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startInPlace } from '../../../src-main/store/worker/in-place.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { newKey, writesOf } from '../library.ts'

async function writer() {
  const started = await startInPlace('writing', putEmptyLibrary(tempFolder()))
  onTestFinished(() => started.close())
  return writesOf(started)
}

test('a problem is the Problem a thread would give', async () => {
  const { createOrganization } = await writer()
  await createOrganization('Acme', 1)
  await expect(createOrganization('acme', 2)).rejects.toMatchObject({ name: 'Problem', code: 'taken' })
})

test('a bug is an Error, and what comes after it is done', async () => {
  const { createKey, createOrganization } = await writer()
  await expect(createKey(newKey({ hash: new Uint8Array(5) }))).rejects.toThrow('CHECK constraint failed')
  await expect(createOrganization('Acme', 1)).resolves.toMatchObject({ name: 'Acme' })
})

test('what could not cross to a thread is refused here too', async () => {
  const { createOrganization } = await writer()
  const uncloneable = (() => 'Acme') as unknown as string
  await expect(createOrganization(uncloneable, 1)).rejects.toThrow('could not be cloned')
})

test('a library that cannot be opened is a Problem', async () => {
  const file = join(tempFolder(), 'library.sqlite')
  writeFileSync(file, 'Dear diary')
  await expect(startInPlace('writing', file)).rejects.toMatchObject({ code: 'not-a-library' })
})
