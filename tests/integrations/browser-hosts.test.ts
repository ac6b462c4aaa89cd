import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXTENSION, NATIVE_HOST } from '../../src-main/contract/extension-id.ts'
import type { Registry } from '../../src-main/integrations/browser-hosts.ts'
import { launcherFor, openBrowsers } from '../../src-main/integrations/browser-hosts.ts'
import { BROWSERS } from '../../src-main/integrations/browsers.ts'
import { tempFolder } from '../support/temp-folder.ts'

const PROGRAM = { command: '/opt/Earmark/earmark', args: [], packaged: true }
const ORIGIN = `chrome-extension://${EXTENSION.chromium}/`

/** The browsers of a machine. */
function machine(platform: NodeJS.Platform = 'linux') {
  const home = tempFolder()
  const data = tempFolder()
  const entries = new Map<string, string>()
  const registry: Registry = {
    read: (key) => entries.get(key),
    write: (key, value) => void entries.set(key, value),
    remove: (key) => void entries.delete(key)
  }
  return { home, data, entries, browsers: openBrowsers(data, { platform, home, env: {} }, registry) }
}

test('the extension’s id is derived from its key', () => {
  const digest = createHash('sha256').update(Buffer.from(EXTENSION.key, 'base64')).digest()
  const id = [...digest.subarray(0, 16)].map((byte) => String.fromCharCode(97 + (byte >> 4), 97 + (byte & 15)))
  expect(id.join('')).toBe(EXTENSION.chromium)
})

describe.each(BROWSERS)('$name', ({ id, kind }) => {
  test.each([
    ['linux', kind === 'firefox' ? /\/\.mozilla\/native-messaging-hosts\// : /\/\.config\/.*\/NativeMessagingHosts\//],
    ['darwin', /\/Library\/Application Support\/.*\/NativeMessagingHosts\//]
  ] as const)(
    'on %s gets a manifest for Earmark’s extension and a launcher of the owner, until it is disconnected',
    async (platform, place) => {
      const { browsers, data } = machine(platform)
      const { file, content } = await browsers.connect(id, PROGRAM, undefined, false)
      expect(file).toMatch(place)
      expect(readFileSync(file, 'utf8')).toBe(content)
      const { name, path, type, allowed_origins, allowed_extensions } = JSON.parse(content)
      expect({ name, type, allowed: allowed_origins ?? allowed_extensions }).toEqual({
        name: NATIVE_HOST,
        type: 'stdio',
        allowed: [kind === 'firefox' ? EXTENSION.firefox : ORIGIN]
      })
      expect((statSync(path).mode & 0o777).toString(8)).toBe('700')
      expect((await browsers.list()).find((browser) => browser.id === id)).toMatchObject({ connected: true })
      expect(await browsers.disconnect(id, false)).toMatchObject({ file })
      expect([existsSync(file), readdirSync(data)]).toEqual([false, []])
      await expect(browsers.disconnect(id, false)).rejects.toThrow(/is not connected/)
    }
  )

  test('on Windows gets its manifest through the registry', async () => {
    const { browsers, data, entries } = machine('win32')
    const { file, content } = await browsers.connect(id, PROGRAM, undefined, false)
    expect(dirname(file)).toBe(join(data, 'native-host'))
    expect([...entries]).toEqual([[expect.stringMatching(/NativeMessagingHosts\\app\.earmark\.host$/), file]])
    expect(JSON.parse(content).path).toMatch(/\.bat$/)
    expect((await browsers.list()).find((browser) => browser.id === id)).toMatchObject({ connected: true })
    await browsers.disconnect(id, false)
    expect([entries.size, readdirSync(data)]).toEqual([0, []])
  })

  test('gets nothing in a dry run', async () => {
    const { browsers, home, data } = machine()
    await browsers.connect(id, PROGRAM, undefined, true)
    expect([...readdirSync(home), ...readdirSync(data)]).toEqual([])
    await browsers.connect(id, PROGRAM, undefined, false)
    await browsers.disconnect(id, true)
    expect((await browsers.list()).find((browser) => browser.id === id)).toMatchObject({ connected: true })
  })
})

test('the launcher stays while another browser uses it', async () => {
  const { browsers } = machine()
  const { content } = await browsers.connect('chromium', PROGRAM, undefined, false)
  await browsers.connect('firefox', PROGRAM, undefined, false)
  await browsers.disconnect('firefox', false)
  expect(existsSync(JSON.parse(content).path)).toBe(true)
})

test('a manifest of another program is not counted as connected', async () => {
  const { browsers } = machine()
  const { file } = await browsers.connect('chromium', PROGRAM, undefined, false)
  for (const text of ['{"path":"/usr/bin/other"}', '{', 'null']) {
    writeFileSync(file, text)
    expect((await browsers.list()).find(({ id }) => id === 'chromium')).toMatchObject({ connected: false })
    await expect(browsers.disconnect('chromium', false)).rejects.toThrow(/Chromium is not connected/)
  }
})

test('a browser that is installed only in a sandbox is not connected, and the error names the alternative', async () => {
  const { browsers, home } = machine()
  mkdirSync(join(home, 'snap/firefox'), { recursive: true })
  mkdirSync(join(home, '.var/app/com.brave.Browser'), { recursive: true })
  expect((await browsers.list()).map(({ id, found, sandbox }) => [id, found, sandbox])).toEqual([
    ['chrome', false, null],
    ['chromium', false, null],
    ['edge', false, null],
    ['brave', false, 'Flatpak'],
    ['firefox', false, 'Snap']
  ])
  await expect(browsers.connect('firefox', PROGRAM, undefined, true)).rejects.toThrow(
    /Firefox is installed as a Snap.*bookmarklet/
  )
  mkdirSync(join(home, '.mozilla'))
  expect(await browsers.connect('firefox', PROGRAM, undefined, false)).toHaveProperty('file')
})

test('a file in place of the browser’s folder is reported', async () => {
  const { browsers, home } = machine()
  writeFileSync(join(home, '.mozilla'), '')
  await expect(browsers.connect('firefox', PROGRAM, undefined, false)).rejects.toThrow(/cannot be written/)
})

test('an unknown browser is answered with the known ones', async () => {
  await expect(machine().browsers.connect('netscape', PROGRAM, undefined, true)).rejects.toThrow(
    /no browser netscape.*firefox/
  )
})

test('the launcher passes every argument on unchanged', () => {
  const word = `a 'quoted' "word" $HOME \`x\` %PATH%; *`
  const file = join(tempFolder(), 'launcher')
  const show = ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))']
  writeFileSync(file, launcherFor({ command: process.execPath, args: [...show, word], packaged: false }, word, 'linux'))
  const output = execFileSync('/bin/sh', [file, 'chrome-extension://x/', 'two words'], { encoding: 'utf8' })
  expect(JSON.parse(output)).toEqual([word, 'native-host', '--data', word, 'chrome-extension://x/', 'two words'])
  expect(launcherFor(PROGRAM, 'C:\\100%', 'win32')).toBe(
    '@echo off\r\n/opt/Earmark/earmark native-host --data "C:\\100%%" %*\r\n'
  )
})
