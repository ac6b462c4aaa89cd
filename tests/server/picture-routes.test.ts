import { expect, test } from 'vitest'
import { MAX_PICTURE_BYTES } from '../../src-main/contract/bookmark.ts'
import type { Service } from '../../src-main/service.ts'
import { hashOf, picture } from '../support/pictures.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'

interface Sent {
  status: number
  body: { status?: string; bookmark?: Record<string, unknown>; error?: { code: string; message: string } }
}

async function send(service: Service, form: FormData | string, headers: Record<string, string> = {}): Promise<Sent> {
  // With its length, as clients send it.
  const body = new Request('http://a.example', { method: 'POST', body: form })
  const bytes = await body.arrayBuffer()
  const response = await service.fetch(
    new Request('http://127.0.0.1/api/pictures', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.commandToken}`,
        'content-type': body.headers.get('content-type') ?? '',
        'content-length': String(bytes.byteLength),
        ...headers
      },
      body: bytes
    })
  )
  return { status: response.status, body: (await response.json()) as Sent['body'] }
}

function upload(bytes: Uint8Array, bookmark?: unknown): FormData {
  const form = new FormData()
  form.append('picture', new File([new Uint8Array(bytes)], 'x.exe', { type: 'text/html' }))
  if (bookmark !== undefined)
    form.append('bookmark', typeof bookmark === 'string' ? bookmark : JSON.stringify(bookmark))
  return form
}

test('a picture is uploaded as a file, and served as a preview and as a sandboxed original', async () => {
  const service = await testService()
  const bytes = await picture('tomato')
  const { status, body } = await send(service, upload(bytes, { title: 'Tomato', tags: ['red'] }))
  expect([status, body.status]).toEqual([201, 'saved'])
  const hash = hashOf(bytes)
  expect(body.bookmark).toMatchObject({ title: 'Tomato', url: null, picture: hash, preview: `${hash}.webp` })
  expect(await send(service, upload(bytes))).toMatchObject({ status: 200, body: { status: 'existing' } })

  const small = await callApi(service, 'GET', `/pictures/${hash}.webp`)
  expect(small.headers.get('content-type')).toBe('image/webp')
  const whole = await callApi(service, 'GET', `/pictures/originals/${hash}`)
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': `inline; filename="${hash.slice(0, 12)}.png"`
  })
  const facts = await callApi(service, 'GET', `/bookmarks/${body.bookmark?.id}/picture`)
  expect(await facts.json()).toMatchObject({
    original: { type: 'image/png', width: 24, height: 24, size: bytes.length }
  })
})

test.each([
  ['a file of more than 10 MB', () => upload(new Uint8Array(MAX_PICTURE_BYTES + 1)), 413, '10 MB'],
  ['a file of 20 MB', () => upload(new Uint8Array(2 * MAX_PICTURE_BYTES)), 413, '10 MB'],
  [
    'a file that is no picture',
    () => upload(new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    400,
    'PNG'
  ],
  ['a form without a file', () => new FormData(), 400, 'picture: send the file'],
  ['a body that is no form', () => 'pixels', 400, 'picture: send the file'],
  ['a bookmark that is not JSON', () => upload(new Uint8Array(9), '{'), 400, 'bookmark: not JSON'],
  ['a bookmark of type link', () => upload(new Uint8Array(9), { type: 'link' }), 400, 'bookmark'],
  ['a picture for an unknown organization', () => upload(new Uint8Array(9), { organization: 'None' }), 404, 'None']
])('%s is refused with the reason', async (_, form, status, words) => {
  const service = await testService()
  const sent = await send(service, form())
  expect(sent.status).toBe(status)
  expect(sent.body.error?.message).toContain(words)
  expect(await (await callApi(service, 'GET', '/bookmarks/counts')).json()).toMatchObject({ all: 0 })
})

test('a damaged form and one of unknown length are refused, and unknown pictures are not found', async () => {
  const service = await testService()
  const damaged = await send(service, 'x', { 'content-type': 'multipart/form-data; boundary=a' })
  expect([damaged.status, damaged.body.error?.code]).toEqual([400, 'invalid'])
  expect((await send(service, upload(new Uint8Array(9)), { 'transfer-encoding': 'chunked' })).status).toBe(411)
  for (const path of ['/pictures/originals/none', `/pictures/originals/${'0'.repeat(64)}`, '/bookmarks/none/picture']) {
    expect([path, (await callApi(service, 'GET', path)).status]).toEqual([path, 404])
  }
})

test('over a socket an original has its own security headers', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const bytes = await picture('tomato')
  await send(service, upload(bytes))
  const response = await fetch(`http://127.0.0.1:${port}/api/pictures/originals/${hashOf(bytes)}`, {
    headers: { authorization: `Bearer ${service.commandToken}` }
  })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': expect.stringContaining('private')
  })
})

test('an agent finds a picture by its words; it has no address', async () => {
  const service = await testService()
  const key = await makeKey(service)
  await send(service, upload(await picture('tomato'), { title: 'A ripe tomato' }))
  const { payload } = await callTool(service, key, 'bookmarks.search', { search: 'tomato', type: 'image' })
  const image = { type: 'image', title: 'A ripe tomato', url: '', domain: '' }
  expect(payload).toMatchObject({ total: 1, bookmarks: [image] })
  for (const absent of ['picture', 'preview']) expect(payload.bookmarks[0]).not.toHaveProperty(absent)
})

test('images of a similar color are found as soon as their colors are known', async () => {
  const service = await testService()
  await service.listen(0)
  const { body } = await send(service, upload(await picture('#ff6347'), { title: 'Tomato' }))
  const id = String(body.bookmark?.id)
  const similar = async (query: string) =>
    (await (await callApi(service, 'GET', `/colors/similar?to=tomato${query}`)).json()) as {
      images: { distance: number; bookmark: { id: string } }[]
    }
  await expect.poll(async () => (await similar('')).images.map(({ bookmark }) => bookmark.id)).toEqual([id])
  expect((await similar('')).images[0]?.distance).toBeLessThan(0.02)
  expect((await similar(`&except=${id}`)).images).toEqual([])
})
