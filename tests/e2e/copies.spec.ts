import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { extensionToken } from '../../src-main/actions/keys/credentials.ts'
import { COPY_PART_BYTES } from '../../src-main/contract/page-copy.ts'
import { convertCopy } from '../../src-main/web/page-copy.ts'
import { hostileCopies, PIXEL } from '../support/copies.ts'
import { expect, look, type RunningService, test } from '../support/playwright.ts'

test.use({ pages: [] })

/** Saves a page and its copy as the extension does. @returns the id of the bookmark */
async function saveCopy(
  { token, mcp, ask }: RunningService,
  url: string,
  title: string,
  copy: Buffer
): Promise<string> {
  const { bookmark } = await ask<{ bookmark: { id: string } }>('/bookmarks', { type: 'link', url, title })
  const parts = Math.ceil(copy.length / COPY_PART_BYTES)
  const upload = crypto.randomUUID()
  let answer: unknown
  for (let part = 0; part < parts; part++) {
    const data = copy.subarray(part * COPY_PART_BYTES, (part + 1) * COPY_PART_BYTES).toString('base64')
    const response = await fetch(new URL('/api/extension/copy', mcp), {
      method: 'POST',
      headers: { authorization: `Bearer ${extensionToken(token)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, upload, part, parts, data })
    })
    answer = await response.json()
  }
  expect(answer).toEqual({ stored: true })
  return bookmark.id
}

/** A server that counts requests. */
async function countingServer(
  answer: (path: string) => [type: string, content: string | Buffer] | undefined = () => undefined
) {
  const requests: string[] = []
  const server: Server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const [type, content] = answer(request.url ?? '') ?? ['text/plain', '']
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(content)
  })
  server.on('connection', () => requests.push('connection'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, requests, close: () => server.close() }
}

/** Clicks and presses keys all over a page. */
async function useEverything(page: Page): Promise<void> {
  for (const y of [20, 60, 300]) for (const x of [20, 60]) await page.mouse.click(x, y)
  for (let round = 0; round < 2; round++) {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
  }
}

test('no hostile page runs a script or reaches the network from its copy, by itself or by a click', async ({
  page,
  service,
  complaints
}) => {
  test.setTimeout(240_000)
  const evil = await countingServer()
  const requested: string[] = []
  const watch = (shown: Page) => {
    shown.on('dialog', (dialog) => void dialog.dismiss().then(() => requested.push('dialog')))
    shown.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(service.url) && !/^(data|file|blob):|^about:/.test(url)) requested.push(url)
    })
  }
  await service.open(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Earmark' })).toBeVisible()
  watch(page)
  const files = new Set<string>()
  for (const [index, [name, source]] of Object.entries(hostileCopies(evil.origin)).entries()) {
    const id = await saveCopy(service, `https://p${index}.example/`, name, Buffer.from(source))
    const address = `${service.url}/api/bookmarks/${id}/copy`
    const file = readdirSync(join(service.data, 'copies')).find((other) => !files.has(other))
    if (file) files.add(file)
    const { copy } = await service.ask<{ copy: { size: number } }>(`/bookmarks/${id}/page`, {}, 'GET')
    expect(copy.size).toBeGreaterThan(0)
    // In a frame of the window, as a page of its own, and opened from its folder, where no header protects it.
    const shown = await page.context().newPage()
    watch(shown)
    await shown.goto(`${service.url}/tags`)
    await shown.evaluate((address) => {
      document.body.innerHTML = `<iframe sandbox src="${address}" style="position:fixed;inset:0;width:100%;height:100%"></iframe>`
    }, address)
    await expect.poll(() => shown.frames()[1]?.url(), name).toBe(address)
    await useEverything(shown)
    expect(shown.frames()[1]?.url(), name).toBe(address)
    expect(await shown.evaluate('window.ran'), name).toBeUndefined()
    // Nothing is left of some of them, so that they share a file.
    const opened = file ? [address, pathToFileURL(join(service.data, 'copies', file)).href] : [address]
    for (const url of opened) {
      await shown.goto(url)
      await useEverything(shown)
      expect(shown.url(), name).toBe(url)
      expect(await shown.evaluate('window.ran'), name).toBeUndefined()
    }
    await shown.close()
    expect([name, evil.requests, requested]).toEqual([name, [], []])
  }
  // The same clicks on such a page itself reach the server.
  const control = await page.context().newPage()
  await control.setContent(String(hostileCopies(evil.origin)['links in the body']))
  await useEverything(control)
  await expect.poll(() => evil.requests).toContain('/b')
  await control.close()
  evil.close()
  complaints.length = 0
})

const SITE: Record<string, [type: string, content: string | Buffer]> = {
  '/': [
    'text/html; charset=utf-8',
    `<!DOCTYPE html><html lang="en"><head><title>Of walruses</title><link rel="stylesheet" href="/style.css">
    <style>h1 { color: rgb(0, 100, 0) } .made { border: 2px solid rgb(0, 0, 200) }</style></head>
    <body><h1>Of walruses</h1><p id="styled">Styled by a sheet.</p><img src="/pixel.png" width="40" height="40" alt="A pixel">
    <svg width="40" height="40"><linearGradient id="g"><stop stop-color="red"/></linearGradient><circle cx="20" cy="20" r="19" fill="url(#g)"/></svg>
    <p><a href="/next">A link</a></p><div id="host"></div><iframe src="/frame" width="200" height="60"></iframe><div id="out"></div>
    <script>
      document.getElementById('out').innerHTML = '<p class="made">Made by a script: grüße</p>'
      const root = document.getElementById('host').attachShadow({ mode: 'open' })
      root.innerHTML = '<p>In a shadow</p>'
    </script></body></html>`
  ],
  '/style.css': ['text/css', '@import "/more.css"; #styled { background: url(/pixel.png); padding: 9px }'],
  '/more.css': ['text/css', '#styled { font-weight: 700 }'],
  '/pixel.png': ['image/png', PIXEL],
  '/frame': ['text/html', '<p style="color:rgb(100,0,100)">In a frame</p>']
}

test('a page that Chromium captured is shown in the panel as it was, and its copy is deleted and restored', async ({
  page,
  service
}) => {
  const site = await countingServer((path) => SITE[path])
  const visited = await page.context().newPage()
  await visited.goto(site.origin)
  const session = await page.context().newCDPSession(visited)
  const { data } = await session.send('Page.captureSnapshot', { format: 'mhtml' })
  await visited.close()
  site.close()
  const id = await saveCopy(service, 'https://a.example/walruses', 'Of walruses', Buffer.from(data))
  await service.open(page, `/?open=${id}`)
  const panel = page.getByRole('complementary', { name: 'Bookmark' })
  await expect(panel.getByText(/^Copy of .+ kB$/)).toBeVisible()
  await panel.getByRole('button', { name: 'Show copy' }).click()
  const dialog = page.getByRole('dialog', { name: /^Copy of/ })
  await expect(dialog.getByRole('link', { name: 'Open original' })).toBeVisible()
  const copy = page.frameLocator('iframe[title="Of walruses"]')
  await expect(copy.getByRole('heading', { name: 'Of walruses' })).toHaveCSS('color', 'rgb(0, 100, 0)')
  await expect(copy.locator('#styled')).toHaveCSS('font-weight', '700')
  await expect(copy.locator('#styled')).toHaveCSS('background-image', /^url\("data:image\/png/)
  await expect(copy.getByText('Made by a script: grüße')).toHaveCSS('border-top-width', '2px')
  // Chromium leaves out the styles of shadow roots.
  await expect(copy.getByText('In a shadow')).toBeVisible()
  await expect(copy.locator('circle')).toHaveCSS('fill', /#g/)
  await expect(copy.frameLocator('iframe').getByText('In a frame')).toHaveCSS('color', 'rgb(100, 0, 100)')
  expect(
    await copy.getByRole('img', { name: 'A pixel' }).evaluate((image: HTMLImageElement) => image.naturalWidth)
  ).toBe(1)
  await expect(copy.getByText('A link')).toHaveAttribute('title', `${site.origin}/next`)
  await look(page, 'copy')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(panel.getByRole('button', { name: 'Show copy' })).toBeFocused()
  await panel.getByRole('button', { name: 'Delete copy' }).click()
  await expect(panel.getByRole('button', { name: 'Delete copy' })).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(panel.getByRole('button', { name: 'Show copy' })).toBeVisible()
})

test('a page that the script for Firefox captured has its styles and pictures in it', async ({ page }) => {
  const site = await countingServer((path) => SITE[path])
  await page.goto(site.origin)
  await page.addScriptTag({ path: join(import.meta.dirname, '../../out/extension/firefox/capture-page.js') })
  const captured = await page.evaluate('earmarkCapturePage()')
  site.close()
  const copy = convertCopy(new TextEncoder().encode(String(captured)))
  await page.setContent(new TextDecoder().decode(copy as Uint8Array))
  await expect(page.getByRole('heading', { name: 'Of walruses' })).toHaveCSS('color', 'rgb(0, 100, 0)')
  await expect(page.locator('#styled')).toHaveCSS('font-weight', '700')
  await expect(page.locator('#styled')).toHaveCSS('background-image', /^url\("data:image\/png/)
  await expect(page.getByText('Made by a script: grüße')).toHaveCSS('border-top-width', '2px')
  const picture = page.getByRole('img', { name: 'A pixel' })
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
})
