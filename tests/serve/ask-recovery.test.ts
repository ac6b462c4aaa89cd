import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startNodeProcess } from '../../src-main/host/child-process.ts'
import { LibraryLost, withRecovery } from '../../src-main/host/library-lost.ts'
import { askRecovery } from '../../src-main/serve/commands/serve.ts'
import { openService } from '../../src-main/service.ts'
import { callApi, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const OPTIONS = {
  version: '0.0.0',
  dashboard: 'out/renderer',
  startProcess: startNodeProcess,
  inPlace: true,
  onBug: () => {}
}

/** A data folder whose library became something else, with a backup of one bookmark or without. */
async function lost(withBackup: boolean): Promise<{ data: string; error: LibraryLost }> {
  const data = tempFolder()
  const service = await testService({ data })
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  if (withBackup) await callApi(service, 'POST', '/backups')
  await service.close()
  writeFileSync(join(data, 'library.sqlite'), 'Dear diary')
  const error = await withRecovery(await openService({ ...OPTIONS, data }).catch((reason) => reason), data)
  expect(error).toBeInstanceOf(LibraryLost)
  return { data, error: error as LibraryLost }
}

async function answer(data: string, error: LibraryLost, typed: string): Promise<{ done: boolean; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const shown = text(output)
  input.end(typed)
  const done = await askRecovery(error, data, { input, output })
  output.end()
  return { done, shown: await shown }
}

async function total(data: string): Promise<number> {
  const service = await testService({ data })
  return ((await (await callApi(service, 'GET', '/bookmarks')).json()) as { total: number }).total
}

test('a person at the terminal is told what is lost and may restore the newest backup', async () => {
  const { data, error } = await lost(true)
  const { done, shown } = await answer(data, error, 'r\n')
  expect(shown).toMatch(
    /not an Earmark library.*\n.*newest good backup has 1 bookmark, as of 2.*saved or changed after/
  )
  expect(done).toBe(true)
  expect(await total(data)).toBe(1)
})

test('an empty library takes its place only once that was confirmed', async () => {
  const { data, error } = await lost(false)
  for (const typed of ['q\n', '', 'r\n', 'e\nno\n', 'e\n']) {
    expect(await answer(data, error, typed)).toMatchObject({ done: false, shown: expect.not.stringContaining('[r]') })
  }
  expect(readdirSync(data).filter((name) => name.startsWith('replaced'))).toEqual([])
  expect(await answer(data, error, 'e\nempty\n')).toMatchObject({
    done: true,
    shown: expect.stringContaining('kept in')
  })
  expect(await total(data)).toBe(0)
})
