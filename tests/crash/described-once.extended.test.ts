import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openReadConnection } from '../../src-main/database/connection.ts'
import { callTool, startWebService } from '../support/earmark.ts'
import { runs } from '../support/runs.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { page, startTestWeb } from '../support/test-web.ts'

const BOOKMARKS = runs(50, 1000)
const KILLS = runs(3, 5)
const HOSTS = 40

/** Addresses whose pages were read, as the file of a killed service has them. */
function described(data: string): string[] {
  const db = openReadConnection(join(data, 'library.sqlite'))
  const sql = "SELECT b.url FROM bookmarks b JOIN page_details d ON d.bookmark_id = b.id WHERE d.state = 'done'"
  const urls = db.prepare(sql).pluck().all() as string[]
  db.close()
  return urls
}

/** A number in words that no other page has. */
const phrase = (number: number) => `the ${[...String(number)].map((digit) => DIGITS[Number(digit)]).join(' ')} herons`
const DIGITS = ['nought', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

test(`${BOOKMARKS} bookmarks are each described once despite repeated kills`, {
  timeout: BOOKMARKS * 1000
}, async () => {
  const urls = Array.from({ length: BOOKMARKS }, (_, number) => `http://host${number % HOSTS}.example/page/${number}`)
  const web = await startTestWeb((target) => {
    const number = /\/page\/(\d+)$/.exec(target)?.[1]
    return number ? page(`<title>Page ${number}</title><p>Far off stood ${phrase(Number(number))}.</p>`) : undefined
  })
  const data = tempFolder()
  let service = await startWebService(data, web.wire.port)
  await callTool(service.url, service.key, 'bookmarks.insert', { urls: urls.slice(0, 500) })
  await callTool(service.url, service.key, 'bookmarks.insert', { urls: urls.slice(-500) })

  const pagesAsked = () => web.asked.filter((target) => target.includes('/page/'))
  for (let kill = 1; kill <= KILLS; kill++) {
    const from = pagesAsked().length
    await expect.poll(() => pagesAsked().length, { timeout: 60_000 }).toBeGreaterThan(from + BOOKMARKS / (KILLS * 2))
    await service.end('SIGKILL')
    const done = described(data)
    const before = web.asked.length
    service = await startWebService(data, web.wire.port)
    if (kill === KILLS) await expect.poll(() => described(data).length, { timeout: BOOKMARKS * 500 }).toBe(BOOKMARKS)
    const again = new Set(web.asked.slice(before).map((target) => `http://${target}`))
    expect(done.filter((url) => again.has(url))).toEqual([])
  }

  const asked = pagesAsked()
  expect(new Set(asked).size).toBe(BOOKMARKS)
  // Those that were under way at a kill.
  expect(asked.length - BOOKMARKS).toBeLessThanOrEqual(KILLS * 4)
  expect(web.busiest()).toEqual({ all: expect.any(Number), host: 1 })
  expect(web.busiest().all).toBeLessThanOrEqual(4)
  for (let number = 0; number < BOOKMARKS; number += BOOKMARKS / 50) {
    const { payload } = await callTool(service.url, service.key, 'bookmarks.search', {
      search: `"${phrase(number)}"`
    })
    expect(payload.bookmarks.map(({ title }: { title: string }) => title)).toContain(`Page ${number}`)
    expect(payload.bookmarks[0]).toMatchObject({ snippet: expect.stringContaining(phrase(number)) })
  }
})
