/** What the built program does with pages, as far as this is possible without the web. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DecoderReply, DecoderRequest } from '../../src-main/web/decoder.ts'
import { pdfFile } from '../support/pdf-file.ts'
import { picture } from '../support/pictures.ts'
import { launchProgram, withoutKeychain } from '../support/program.ts'
import { prepareLibrary } from '../support/sleeping-library.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a local page is not fetched: its title is made from its address, unless --no-fetch is given', async () => {
  const data = tempFolder()
  const { key } = await prepareLibrary(data)
  const serve = async (...args: string[]) => {
    const program = launchProgram(['serve', '--json', '--port', '0', '--data', data, ...args], { env: withoutKeychain })
    const { mcp } = JSON.parse((await program.firstLine) ?? '') as { mcp: string }
    const call = async (name: string, args: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
      const headers = { 'content-type': 'application/json', 'x-api-key': key }
      const { result } = (await (await fetch(mcp, { method: 'POST', headers, body })).json()) as {
        result: { content: { text: string }[] }
      }
      const { bookmarks } = JSON.parse(result.content[0]?.text ?? '') as { bookmarks: { title?: string }[] }
      return bookmarks.map(({ title }) => title)
    }
    return { program, call }
  }
  const titles = ({ call }: Awaited<ReturnType<typeof serve>>) => call('bookmarks.search', { search: 'secret' })
  const before = await serve('--no-fetch')
  await before.call('bookmarks.insert', { urls: ['http://127.0.0.1/a-secret-page'] })
  expect(await titles(before)).toEqual([''])
  before.program.child.kill('SIGTERM')
  await before.program.ended
  const fetching = await serve()
  await expect.poll(() => titles(fetching), { timeout: 20_000 }).toEqual(['A secret page'])
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
  const page = { bytes, charset: undefined, contentType: 'text/html', asked: url, url }
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
