import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { picture } from '../support/pictures.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { page, silence, startTestWeb } from '../support/test-web.ts'
import { apiOf, refusal } from './api.ts'

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>'

/** A listening service, and a web of a few pages. */
async function serving(options: { data?: string } = {}) {
  const drawing = page(PICTURE, { 'content-type': 'image/svg+xml' })
  const icon = page(await picture('red'), { 'content-type': 'image/png' })
  const pages: Record<string, ReturnType<typeof page>> = {
    'a.example/': page(`<title>First</title><meta property="og:site_name" content="A"><link rel=icon href=/i.png>
      <p>A text about the narwhal, which stands in the page alone.</p><ul><li><a href=/more>More</a></ul>`),
    'a.example/i.png': icon,
    'a.example/i.svg': drawing,
    'gone.example/old-page': page('', {}, 404),
    'slow.example/': silence
  }
  const web = await startTestWeb((target) => pages[target])
  const service = await testService({ ...options, web: 'internet', wire: web.wire })
  await service.listen(0)
  const key = await makeKey(service)
  const api = apiOf(service)
  return {
    service,
    api,
    key,
    pages,
    requested: web.asked,
    save: async (...urls: string[]): Promise<string[]> => {
      const { payload } = await callTool(service, key, 'bookmarks.insert', { urls })
      return payload.bookmarks.map(({ id }: { id: string }) => id)
    },
    pageOf: async (id: string | undefined) => (await api('GET', `/bookmarks/${id}/page`)).body
  }
}

test('a saved page is fetched, found by its text, and has an icon and a text as Markdown', async () => {
  const { api, service, key, save, pageOf } = await serving()
  const [id] = await save('http://a.example/')
  await expect.poll(() => pageOf(id)).toMatchObject({ status: 'done', siteName: 'A', minutes: 1, fault: null })
  const { payload } = await callTool(service, key, 'bookmarks.search', { search: 'narwhal' })
  expect(payload.bookmarks).toEqual([
    expect.objectContaining({ id, title: 'First', snippet: expect.stringContaining('narwhal') })
  ])
  expect(payload.bookmarks[0]).not.toHaveProperty('icon')

  const { icon } = (await api('GET', `/bookmarks/${id}`)).body
  const picture = await callApi(service, 'GET', `/pictures/${icon}`)
  expect(picture.headers.get('content-type')).toBe('image/webp')
  expect(picture.headers.get('cache-control')).toContain('immutable')
  expect((await picture.text()).slice(0, 12)).toContain('WEBP')
  const { text, isMarkdown } = (await api('GET', `/bookmarks/${id}/page/text`)).body
  expect(text).toContain('narwhal')
  expect(text).toContain('- [More](http://a.example/more)')
  expect(isMarkdown).toBe(true)
})

test('the place where reading stopped comes with the text', async () => {
  const { api, save, pageOf } = await serving()
  const [id] = await save('http://a.example/')
  await expect.poll(() => pageOf(id)).toMatchObject({ status: 'done' })
  const place = { block: 2, share: 0.5 }
  const keep = (json: object) => api('PUT', `/bookmarks/${id}/page/place`, json).then(({ status }) => status)
  expect([await keep(place), await keep({ block: 2, share: 2 }), await keep({})]).toEqual([204, 400, 400])
  expect((await api('GET', `/bookmarks/${id}/page/text`)).body).toMatchObject({ place })
})

test('a page that could not be read has the reason, and is fetched again on request', async () => {
  const { api, save, pageOf, pages } = await serving()
  const [id] = await save('http://gone.example/old-page')
  await expect.poll(() => pageOf(id)).toMatchObject({ status: 'failed', fault: 'gone', due: null })
  expect((await api('GET', `/bookmarks/${id}`)).body).toMatchObject({ title: 'Old page' })
  pages['gone.example/old-page'] = page('<title>Back</title>')
  expect((await api('POST', `/bookmarks/${id}/page`)).status).toBe(202)
  await expect.poll(() => pageOf(id)).toMatchObject({ status: 'done', attempts: 0 })
  expect((await api('GET', `/bookmarks/${id}`)).body).toMatchObject({ title: 'Back' })
})

test('a page that hangs delays nothing; with fetching off nothing is fetched, and the status reports it', async () => {
  const { api, save, pageOf, requested } = await serving()
  const [slow] = await save('http://slow.example/')
  await expect.poll(() => requested).toEqual(['slow.example/'])
  expect(await pageOf(slow)).toMatchObject({ status: 'pending' })
  const unread = async () => (await api('GET', '/status')).body.unread
  expect(await unread()).toBe(1)
  await api('PATCH', '/settings', { fetchDetails: false })
  const [id] = await save('http://a.example/')
  expect(await pageOf(id)).toMatchObject({ status: 'off', readAt: null })
  expect(await unread()).toBe(0)
  expect(await api('POST', `/bookmarks/${id}/page`)).toMatchObject(refusal(400, 'invalid', 'switched off'))
  expect(requested).toEqual(['slow.example/'])
})

test('pictures of a text are fetched once, when they are first requested', async () => {
  const data = tempFolder()
  const { api, service, save, pageOf, pages, requested } = await serving({ data })
  const svg = page(PICTURE, { 'content-type': 'image/svg+xml' })
  Object.assign(pages, {
    'p.example/': page(
      '<p>A heron stood by the water.</p><img src=/1.svg alt=Heron><img src=/2.svg><img src=/gone.svg>'
    ),
    'p.example/1.svg': svg,
    'p.example/2.svg': svg
  })
  const [id] = await save('http://p.example/')
  await expect.poll(() => pageOf(id)).toMatchObject({ status: 'done', minutes: 1 })
  const list = async () => (await api('GET', `/bookmarks/${id}/page/pictures`)).body
  const show = async (place: number | string) => {
    const { status, headers } = await callApi(service, 'GET', `/bookmarks/${id}/page/pictures/${place}`)
    return [status, headers.get('content-type')]
  }
  const fetched = () => requested.filter((target) => target.endsWith('.svg')).sort()
  const kept = ['1', '2'].map((name, place) => ({ url: `http://p.example/${name}.svg`, place }))
  expect([await show(0), fetched()]).toEqual([[404, 'application/json'], []])
  expect(await list()).toEqual({ kept: [], pending: true })
  await expect.poll(list).toEqual({ kept, pending: false })
  expect(await list()).toEqual({ kept, pending: false })
  expect(fetched()).toEqual(['p.example/1.svg', 'p.example/2.svg', 'p.example/gone.svg'])
  expect([await show(0), await show(1)]).toEqual(Array(2).fill([200, 'image/webp']))
  for (const place of [2, 3, '-1', 'x']) expect([place, (await show(place))[0]]).toEqual([place, 404])
  expect(readdirSync(join(data, 'text-pictures'))).toEqual([id])
})

test('pictures of a text are not fetched while fetching is off, and a picture that hangs delays no answer', async () => {
  const { api, service, save, pageOf, pages, requested } = await serving()
  Object.assign(pages, {
    'p.example/': page('<p>A heron stood by the water.</p><img src="http://slow.example/"><img src=/x.svg>')
  })
  const [id] = await save('http://p.example/')
  await expect.poll(() => pageOf(id)).toMatchObject({ status: 'done', minutes: 1 })
  const list = async () => (await api('GET', `/bookmarks/${id}/page/pictures`)).body
  await api('PATCH', '/settings', { fetchDetails: false })
  expect(await list()).toEqual({ kept: [], pending: false })
  expect(requested).not.toContain('slow.example/')
  await api('PATCH', '/settings', { fetchDetails: true })
  expect(await list()).toEqual({ kept: [], pending: true })
  await expect.poll(() => requested).toContain('slow.example/')
  expect(await list()).toEqual({ kept: [], pending: true })
  await service.close() // aborts the picture that hangs
})

test('an image is found by its main color', async () => {
  const { api, save } = await serving()
  const [id] = await save('http://a.example/i.svg')
  const similar = async (color: string) => {
    const { images } = (await api('GET', `/colors/similar?to=${color}`)).body
    return images.map(({ bookmark }: { bookmark: { id: string } }) => bookmark.id)
  }
  await expect.poll(() => similar('red')).toEqual([id])
  expect(await similar('blue')).toEqual([])
  const colors = [{ color: expect.stringMatching(/^#f/), share: 1 }]
  expect((await api('GET', `/bookmarks/${id}/picture`)).body).toEqual({ original: null, colors })
})

test('a text has no page, and an unknown id has none', async () => {
  const { api } = await serving()
  const { bookmark } = (await api('POST', '/bookmarks', { type: 'text', content: 'words' })).body
  expect((await api('GET', `/bookmarks/${bookmark.id}/page`)).body).toEqual({ status: 'none' })
  expect((await api('POST', `/bookmarks/${bookmark.id}/page`)).status).toBe(400)
  expect((await api('GET', `/bookmarks/${bookmark.id}/page/text`)).body).toEqual({
    text: '',
    isMarkdown: false,
    place: null
  })
  const unknown = [
    '/bookmarks/none/page',
    '/bookmarks/none/page/text',
    '/pictures/none',
    '/pictures/..%2Flibrary.sqlite'
  ]
  for (const path of unknown) expect([path, (await api('GET', path)).status]).toEqual([path, 404])
  expect((await api('POST', '/bookmarks/none/page')).status).toBe(404)
})

test('a service without a web fetches nothing', async () => {
  const service = await testService()
  await service.listen(0)
  const key = await makeKey(service)
  const { payload } = await callTool(service, key, 'bookmarks.insert', { urls: ['http://a.example/'] })
  const [{ id }] = payload.bookmarks
  expect((await apiOf(service)('GET', `/bookmarks/${id}/page`)).body).toMatchObject({ status: 'off' })
})
