import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { startNodeProcess } from '../../src-main/host/own-program.ts'
import { openService } from '../../src-main/service.ts'
import { callApi, makeKey, noKeychain, testHost, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const PAGE = '<!doctype html>\n<html lang="en"></html>'

function dashboardFolder(): string {
  const dashboard = tempFolder()
  writeFileSync(join(dashboard, 'index.html'), PAGE)
  return dashboard
}

test.for([
  ['a browser gets the dashboard', '/linkz', 'text/html,application/xhtml+xml', '<!doctype html>'],
  ['a browser gets the dashboard at any depth', '/profile/keys/old', 'text/html', '<!doctype html>'],
  ['a program gets JSON', '/linkz', 'application/json', 'not-found'],
  ['a client without an Accept header gets JSON', '/linkz', undefined, 'not-found'],
  ['a missing file is JSON', '/assets/gone.js', '*/*', 'not-found']
] as const)('an unknown address is answered with 404: %s', async ([, path, accept, answer]) => {
  const service = await testService({ dashboard: dashboardFolder() })
  const headers = accept === undefined ? undefined : { accept }
  const response = await service.fetch(new Request(`http://127.0.0.1${path}`, { headers }))
  expect(response.status).toBe(404)
  expect(await response.text()).toContain(answer)
})

test('the dashboard is in the browser’s language until another is chosen', async () => {
  const service = await testService({ dashboard: dashboardFolder() })
  const page = async (languages?: string) => {
    const headers = languages === undefined ? undefined : { 'accept-language': languages }
    const response = await service.fetch(new Request('http://127.0.0.1/', { headers }))
    return /<html (.*?)>/.exec(await response.text())?.[1]
  }
  expect(await page()).toBe('lang="en" dir="ltr"')
  expect(await page('tlh, de-AT;q=0.8, en;q=0.9')).toBe('lang="en" dir="ltr"')
  expect(await page('de-AT,de;q=0.9,en;q=0.8')).toBe('lang="de" dir="ltr"')
  expect(await page('ar')).toBe('lang="ar" dir="rtl"')
  expect(await page('*, not a language')).toBe('lang="en" dir="ltr"')
  await callApi(service, 'PATCH', '/settings', { language: 'pt-BR' })
  expect(await page('de')).toBe('lang="pt-BR" dir="ltr"')
})

describe.each([
  ['the installed app', { command: '/opt/Earmark/earmark', args: [], packaged: true }],
  ['a checkout', { command: '/usr/bin/node', args: ['/earmark/out/main/earmark.js'], packaged: false }]
])('%s', (_, program) => {
  const ask = (service: Awaited<ReturnType<typeof testService>>) => async (path: string, init?: RequestInit) =>
    (await service.fetch(new Request(`http://127.0.0.1${path}`, init))).text()

  test('names the commands that work there, and paths only to the owner', async () => {
    const service = await testService({ program })
    const headers = { 'content-type': 'application/json' }
    const answers = [
      await ask(service)('/api/tools/mcp', { method: 'POST' }),
      await ask(service)('/api/status'),
      await ask(service)('/api/session', { method: 'POST', headers, body: '{"token":"x"}' })
    ]
    for (const text of answers) {
      expect(text.includes('npm run -s earmark')).toBe(!program.packaged)
      expect(text).not.toContain(program.command)
    }
    expect(await (await callApi(service, 'GET', '/status')).json()).toMatchObject({
      program: { command: program.command, args: program.args }
    })
  })

  test('marks the dashboard’s pages as packaged or not', async () => {
    const service = await testService({ dashboard: dashboardFolder(), program })
    for (const view of ['/', '/login', '/profile/api-keys']) {
      expect((await ask(service)(view)).includes('data-packaged')).toBe(program.packaged)
    }
  })
})

test('a service that cannot close its keychain reports that, and releases its library', async () => {
  const data = tempFolder()
  const close = async () => {
    throw new Error('the keychain hangs')
  }
  const service = await openService({
    ...testHost,
    data,
    startProcess: startNodeProcess,
    keychain: { ...noKeychain, close },
    onBug: () => {}
  })
  await expect(service.close()).rejects.toThrow('the keychain hangs')
  expect((await callApi(await testService({ data }), 'GET', '/status')).status).toBe(200)
})

test('the endpoint answers the examples of its reference page as printed there', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/endpoint.md'), 'utf8')
  const service = await testService({ version: manifest.version })
  const key = await makeKey(service)
  const examples = [...page.matchAll(/```sh\ncall '(.*)'\n```\n```json\n(.*)\n```/g)]
  expect(examples.length).toBeGreaterThan(6)
  for (const [, body = '', answer = ''] of examples) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body }
    const response = await service.fetch(new Request('http://127.0.0.1/api/tools/mcp', init))
    expect(withoutIds(await response.text())).toBe(withoutIds(answer))
  }
})

/** Ids and times differ from run to run. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/\\"id\\":\\"[\w-]{16}\\"/g, 'an id')
    .replaceAll(/\\"createdAt\\":\\"[\d-]{10}T[\d:.]{12}Z\\"/g, 'a time')
}
