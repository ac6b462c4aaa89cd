/** What the built program does with pages, as far as this is possible without the web. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DecoderReply, DecoderRequest } from '../../src-main/web/decoder.ts'
import { callTool, startEarmark, withoutKeychain } from '../support/earmark.ts'
import { pdfFile } from '../support/hostile-files.ts'
import { picture } from '../support/pictures.ts'
import { prepareLibrary } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

async function titlesOf(url: string, key: string): Promise<(string | undefined)[]> {
  const { payload } = await callTool(url, key, 'bookmarks.search', { search: 'secret' })
  return payload.bookmarks.map(({ title }: { title?: string }) => title)
}

test('a page of this machine is not requested: its bookmark has the words of its address; --no-fetch leaves it alone', async () => {
  const data = tempFolder()
  const { key } = await prepareLibrary(data)
  const before = await startEarmark(data, [], { env: withoutKeychain })
  await callTool(before.url, key, 'bookmarks.insert', { urls: 'http://127.0.0.1/a-secret-page' })
  expect(await titlesOf(before.url, key)).toEqual([''])
  await before.end('SIGTERM')

  const { url } = await startEarmark(data, [], { env: withoutKeychain, fetches: true })
  await expect.poll(() => titlesOf(url, key), { timeout: 20_000 }).toEqual(['A secret page'])
})

test('the built decoder reads a page, a PDF and a picture', async () => {
  const child = fork(join(import.meta.dirname, '../../out/main/decoder-child.js'), { serialization: 'advanced' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const answer = async () => (await once(child, 'message'))[0] as DecoderReply
  const ask = (request: DecoderRequest) => {
    child.send(request)
    return answer()
  }
  expect(await answer()).toBe('started')
  const words = 'A gardener counts every apple in the walled orchard behind the old stone house. '.repeat(3)
  const url = 'https://a.example/'
  const bytes = new TextEncoder().encode(`<title>Orchards</title><nav>Menu</nav><article><p>${words}</p></article>`)
  const page = { bytes, charset: undefined, contentType: 'text/html', requested: url, url }
  const pdf = { ...page, bytes: pdfFile([['A heron stood by the water.']], 'Herons'), contentType: 'application/pdf' }
  expect(await ask({ kind: 'read-page', page })).toMatchObject({
    value: { details: { title: 'Orchards', text: words.trim() } }
  })
  expect(await ask({ kind: 'read-page', page: pdf })).toMatchObject({
    value: { details: { title: 'Herons', text: 'A heron stood by the water.' } }
  })
  expect(await ask({ kind: 'inspect-picture', bytes: await picture('red') })).toMatchObject({
    value: { type: 'image/png', width: 24, height: 24 }
  })
})
