/** The built program's own way to the web, as far as it goes without one. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DecoderReply, DecoderRequest } from '../../src-main/web/decoder.ts'
import { launchEarmark, withoutKeychain } from '../support/earmark.ts'
import { pdfFile } from '../support/hostile-files.ts'
import { picture } from '../support/pictures.ts'
import { prepareLibrary } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

async function search(address: string, key: string, words: string): Promise<(string | undefined)[]> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: words.startsWith('http')
        ? { name: 'bookmarks.insert', arguments: { urls: [words] } }
        : { name: 'bookmarks.search', arguments: { search: words } }
    })
  })
  const { result } = (await response.json()) as { result: { content: { text: string }[] } }
  const { bookmarks } = JSON.parse(result.content[0]?.text ?? '') as { bookmarks: { title?: string }[] }
  return bookmarks.map(({ title }) => title)
}

test('a page of this machine is not asked: its bookmark has the words of its address; --no-fetch leaves it alone', async () => {
  const data = tempFolder()
  const serve = ['serve', '--json', '--port', '0', '--data', data]
  const { key } = await prepareLibrary(data)
  const without = launchEarmark([...serve, '--no-fetch'], { env: withoutKeychain })
  const before = JSON.parse((await without.firstLine) ?? '') as { mcp: string }
  await search(before.mcp, key, 'http://127.0.0.1/a-secret-page')
  expect(await search(before.mcp, key, 'secret')).toEqual([''])
  without.child.kill('SIGTERM')
  await without.ended

  const program = launchEarmark(serve, { env: withoutKeychain })
  const { mcp } = JSON.parse((await program.firstLine) ?? '') as { mcp: string }
  await expect.poll(() => search(mcp, key, 'secret'), { timeout: 20_000 }).toEqual(['A secret page'])
})

test('the built decoder reads a page and a PDF, and draws a picture', async () => {
  // Run from where the built program starts it.
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
  const page = { bytes, charset: undefined, contentType: 'text/html', asked: url, url }
  expect(await ask({ kind: 'read-page', page })).toMatchObject({
    value: { details: { title: 'Orchards', text: words.trim() } }
  })
  const pdf = pdfFile([['A heron stood by the water.']], 'Herons')
  expect(await ask({ kind: 'read-page', page: { ...page, bytes: pdf, contentType: 'application/pdf' } })).toMatchObject(
    {
      value: { details: { title: 'Herons', text: 'A heron stood by the water.' } }
    }
  )
  expect(await ask({ kind: 'inspect-picture', bytes: await picture('red') })).toMatchObject({
    value: { type: 'image/png', width: 24, height: 24 }
  })
})
