import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { extensionToken } from '../../src-main/actions/keys/credentials.ts'
import { createCopyUploads } from '../../src-main/actions/page-copies.ts'
import { SESSION_HEADER } from '../../src-main/contract/endpoint.ts'
import { COPY_PART_BYTES, MAX_COPY_BYTES } from '../../src-main/contract/page-copy.ts'
import type { Service } from '../../src-main/service.ts'
import { link, PRIVATE, quickPorts } from '../actions/ports.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'

const URL_A = 'https://a.example/page'
const HTML = '<!DOCTYPE html><p>A walrus rests on the ice.</p>'

async function ask(service: Service, what: string, body: object) {
  const response = await service.fetch(
    new Request(`http://127.0.0.1/api/extension/${what}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${extensionToken(service.commandToken)}`,
        'content-type': 'application/json'
      },
      body: JSON.stringify(body)
    })
  )
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  return { status: response.status, body: (await response.json()) as any }
}

/** The messages with which the extension sends a copy. */
function partsOf(content: string | Buffer, { url = URL_A, size = 20 } = {}) {
  const bytes = Buffer.from(content)
  const parts = Math.ceil(bytes.length / size)
  const upload = randomUUID()
  return Array.from({ length: parts }, (_, part) => ({
    url,
    upload,
    part,
    parts,
    data: bytes.subarray(part * size, (part + 1) * size).toString('base64')
  }))
}

/** A service with a bookmark of the page, and the bookmark's id. */
async function serviceWithPage() {
  const service = await testService()
  await ask(service, 'save', { type: 'link', url: URL_A, title: 'Walruses' })
  const { bookmarks } = (await (await callApi(service, 'GET', '/bookmarks')).json()) as { bookmarks: { id: string }[] }
  return { service, id: bookmarks[0]?.id ?? '' }
}

/** Calls the API as the window does, by the session of a tab. */
async function asWindow(service: Service, path: string, method = 'GET', query = false) {
  const secret = await service.beginSession()
  const headers: Record<string, string> = { origin: 'http://127.0.0.1' }
  if (!query) headers[SESSION_HEADER] = secret
  const address = `http://127.0.0.1/api${path}${query ? `?session=${secret}` : ''}`
  return service.fetch(new Request(address, { method, headers }))
}

const pageOf = async (service: Service, id: string) =>
  (await (await callApi(service, 'GET', `/bookmarks/${id}/page`)).json()) as { copy: { size: number } | null }

test('a copy that arrives in parts, in any order and twice, is shown to the window alone', async () => {
  const { service, id } = await serviceWithPage()
  expect((await pageOf(service, id)).copy).toBeNull()
  const [first = {}, ...rest] = partsOf(HTML).reverse()
  for (const part of [...rest, ...rest.slice(0, 2)]) {
    expect(await ask(service, 'copy', part)).toEqual({ status: 200, body: { stored: false } })
  }
  expect((await pageOf(service, id)).copy).toBeNull()
  expect(await ask(service, 'copy', first)).toEqual({ status: 200, body: { stored: true } })
  // Its answer was lost, so it comes again.
  expect(await ask(service, 'copy', first)).toEqual({ status: 200, body: { stored: true } })
  const { copy } = await pageOf(service, id)
  expect(copy).toEqual({ size: expect.any(Number), savedAt: expect.stringMatching(/Z$/), isMissing: false })

  const shown = await asWindow(service, `/bookmarks/${id}/copy`, 'GET', true)
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; media-src data:; " +
      "form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin'
  })
  const html = await shown.text()
  expect(html).toContain('<p>A walrus rests on the ice.</p>')
  expect(html).toHaveLength(copy?.size ?? 0)
  expect((await callApi(service, 'GET', `/bookmarks/${id}/copy`)).status).toBe(403)
  const key = await makeKey(service)
  const byKey = new Request(`http://127.0.0.1/api/bookmarks/${id}/copy`, { headers: { 'x-api-key': key } })
  expect((await service.fetch(byKey)).status).toBe(401)
  expect(JSON.stringify(await callTool(service, key, 'bookmarks.search', { query: 'walrus' }))).not.toContain('ice')
})

test('a copy is deleted, which can be undone', async () => {
  const { service, id } = await serviceWithPage()
  for (const part of partsOf(HTML)) await ask(service, 'copy', part)
  const deleted = await asWindow(service, `/bookmarks/${id}/copy`, 'DELETE')
  const { undo } = (await deleted.json()) as { undo: number }
  expect((await pageOf(service, id)).copy).toBeNull()
  expect((await asWindow(service, `/bookmarks/${id}/copy`)).status).toBe(404)
  expect((await asWindow(service, `/bookmarks/${id}/copy`, 'DELETE')).status).toBe(404)
  await callApi(service, 'POST', `/undo/${undo}`)
  expect((await asWindow(service, `/bookmarks/${id}/copy`)).status).toBe(200)
})

test('a copy is refused without its bookmark, for an organization’s, and if it cannot be read', async () => {
  const { service, id } = await serviceWithPage()
  const send = async (content: string, url = URL_A) => {
    let answer = { status: 0, body: {} as { error?: { message: string } } }
    for (const part of partsOf(content, { url })) answer = await ask(service, 'copy', part)
    return [answer.status, answer.body.error?.message]
  }
  expect(await send('no page')).toEqual([400, 'The copy of this page cannot be read. It was not saved.'])
  expect(await send(HTML, 'https://b.example/')).toEqual([404, expect.stringContaining('Save the page first')])
  const acme = (await (await callApi(service, 'POST', '/organizations', { name: 'Acme' })).json()) as { id: string }
  await callApi(service, 'PATCH', `/bookmarks/${id}`, { visibility: 'organization', organization: acme.id })
  expect((await send(HTML))[0]).toBe(404)
  expect((await ask(service, 'copy', { ...partsOf(HTML)[0], parts: 1000 })).status).toBe(400)
})

/** Uploads without a service, of a library with a bookmark of the page. */
async function uploads() {
  const ports = quickPorts()
  await ports.library.saveBookmarks(PRIVATE, [link(URL_A)])
  return { ports, ...createCopyUploads(ports) }
}

test('an upload that stops is forgotten, and the others are limited in number and in size', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { add, ports } = await uploads()
    const started = [partsOf(HTML), partsOf(HTML), partsOf(HTML), partsOf(HTML)]
    const [one = [], , , four = []] = started
    const first = (parts: typeof one) => add(parts[0] as (typeof one)[number])
    for (const parts of started.slice(0, 3)) await first(parts)
    await expect(first(four)).rejects.toMatchObject({ code: 'too-many' })
    vi.advanceTimersByTime(61_000)
    await first(four)
    const last = one.at(-1) as (typeof one)[number]
    expect(await add(last)).toEqual({ stored: false })
    expect(await ports.library.measureCopies()).toEqual({ count: 0, bytes: 0 })
  } finally {
    vi.useRealTimers()
  }
})

test('a copy over 20 MB, or over the limit of all copies, is refused, and the others stay', async () => {
  const { add, ports } = await uploads()
  const large = partsOf(Buffer.alloc(MAX_COPY_BYTES + 1), { size: COPY_PART_BYTES })
  await expect(Promise.all(large.map(add))).rejects.toMatchObject({ code: 'too-large' })
  for (const part of partsOf(HTML)) await add(part)
  const [{ id = '' } = {}] = await ports.library.saveBookmarks(PRIVATE, [link('https://b.example/')])
  await ports.library.saveCopy(id, { hash: 'b'.repeat(64), size: 1e9, savedAt: 1 })
  await ports.library.writeSettings({ copyLimit: 1 })
  const [part] = partsOf(HTML)
  await expect(add({ ...part, upload: randomUUID() } as never)).rejects.toMatchObject({
    code: 'too-large',
    message: 'Copies of pages take 1 GB, which is the limit. Raise it in Settings, or delete copies.'
  })
  expect((await ports.library.measureCopies()).count).toBe(2)
})
