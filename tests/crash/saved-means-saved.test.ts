import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callTool, makeKey, type Running, startEarmark, withoutKeychain } from '../support/earmark.ts'
import { runs } from '../support/runs.ts'
import { tempFolder } from '../support/temp-folder.ts'

const KILLS = runs(8, 40)

test('every acknowledged save survives a kill', { timeout: 120_000 }, async () => {
  const data = tempFolder()
  const key = await makeKey(data)
  const urls: string[] = []
  for (let round = 1; round <= KILLS; round++) {
    const service = await startEarmark(data, [], { env: withoutKeychain })
    expect(await searchUrls(service, key), `round ${round}`).toEqual(urls)
    const url = `https://round-${round}.example/page`
    const { payload: report } = await callTool(service.url, key, 'bookmarks.insert', { urls: url })
    const killed = service.end('SIGKILL')
    expect(report).toMatchObject({ saved: 1, existing: 0, invalid: 0 })
    urls.unshift(url)
    expect(await killed).toBeNull()
  }
  const service = await startEarmark(data, [], { env: withoutKeychain })
  expect(await searchUrls(service, key)).toEqual(urls)
  for (const url of urls) {
    const { payload: repeated } = await callTool(service.url, key, 'bookmarks.insert', { urls: url })
    expect(repeated).toMatchObject({ saved: 0, existing: 1 })
    const { payload: found } = await callTool(service.url, key, 'bookmarks.search', { search: new URL(url).hostname })
    expect(found.bookmarks).toMatchObject([{ url }])
  }
})

test('a key’s secret is in no file of the data folder', async () => {
  const data = tempFolder()
  const key = await makeKey(data)
  const service = await startEarmark(data, [], { env: withoutKeychain })
  await callTool(service.url, key, 'bookmarks.insert', { urls: 'https://marker.example/seen-by-the-scan' })
  const whileRunning = await makeKey(data)
  expect(filesWith(data, key.slice('emk_'.length + 6))).toEqual([])
  expect(filesWith(data, whileRunning.slice('emk_'.length + 6))).toEqual([])
  expect(filesWith(data, 'marker.example/seen-by-the-scan').length).toBeGreaterThan(0)
  await service.end('SIGKILL')
  expect(filesWith(data, key.slice('emk_'.length + 6))).toEqual([])
  expect(filesWith(data, whileRunning.slice('emk_'.length + 6))).toEqual([])
})

/** Every address in the library, newest first. */
async function searchUrls(service: Running, key: string): Promise<string[]> {
  const { payload } = await callTool(service.url, key, 'bookmarks.search', { limit: 100 })
  return payload.bookmarks.map(({ url }: { url: string }) => url)
}

/** The files that hold a text. A list shows a key's first ten characters, so those are looked for nowhere. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
}
