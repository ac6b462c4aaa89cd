import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Registry } from '../../src-main/browsers/browser-hosts.ts'
import { BROWSERS, launcherFor, openBrowsers } from '../../src-main/browsers/browser-hosts.ts'
import { EXTENSION, NATIVE_HOST } from '../../src-main/contract/extension-id.ts'
import { tempFolder } from '../support/temp-folder.ts'

const PROGRAM = { command: '/opt/Earmark/earmark', args: [], packaged: true }
const ORIGIN = `chrome-extension://${EXTENSION.chromium}/`

/** The browsers of somebody's machine. */
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

test('the extension’s id is that of its key', () => {
  const digest = createHash('sha256').update(Buffer.from(EXTENSION.key, 'base64')).digest()
  const id = [...digest.subarray(0, 16)].map((byte) => String.fromCharCode(97 + (byte >> 4), 97 + (byte & 15)))
  expect(id.join('')).toBe(EXTENSION.chromium)
})

describe.each(BROWSERS)('$name', ({ id, kind }) => {
  test.each([
    ['linux', kind === 'firefox' ? /\/\.mozilla\/native-messaging-hosts\// : /\/\.config\/.*\/NativeMessagingHosts\//],
    ['darwin', /\/Library\/Application Support\/.*\/NativeMessagingHosts\//]
  ] as const)(
    'on %s is told of our extension alone and of a launcher only we may change, and forgets it',
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
      expect((await browsers.list()).find((one) => one.id === id)).toMatchObject({ connected: true })
      expect(await browsers.disconnect(id, false)).toMatchObject({ file })
      expect([existsSync(file), readdirSync(data)]).toEqual([false, []])
      await expect(browsers.disconnect(id, false)).rejects.toThrow(/is not connected/)
    }
  )

  test('on Windows is told by the registry', async () => {
    const { browsers, data, entries } = machine('win32')
    const { file, content } = await browsers.connect(id, PROGRAM, undefined, false)
    expect(dirname(file)).toBe(join(data, 'native-host'))
    expect([...entries]).toEqual([[expect.stringMatching(/NativeMessagingHosts\\app\.earmark\.host$/), file]])
    expect(JSON.parse(content).path).toMatch(/\.bat$/)
    expect((await browsers.list()).find((one) => one.id === id)).toMatchObject({ connected: true })
    await browsers.disconnect(id, false)
    expect([entries.size, readdirSync(data)]).toEqual([0, []])
  })

  test('is told nothing by a dry run', async () => {
    const { browsers, home, data } = machine()
    await browsers.connect(id, PROGRAM, undefined, true)
    expect([...readdirSync(home), ...readdirSync(data)]).toEqual([])
    await browsers.connect(id, PROGRAM, undefined, false)
    await browsers.disconnect(id, true)
    expect((await browsers.list()).find((one) => one.id === id)).toMatchObject({ connected: true })
  })
})

test('the launcher stays as long as one browser is told of it', async () => {
  const { browsers } = machine()
  const { content } = await browsers.connect('chromium', PROGRAM, undefined, false)
  await browsers.connect('firefox', PROGRAM, undefined, false)
  await browsers.disconnect('firefox', false)
  expect(existsSync(JSON.parse(content).path)).toBe(true)
})

test('a manifest that names another program, or none, is not ours', async () => {
  const { browsers } = machine()
  const { file } = await browsers.connect('chromium', PROGRAM, undefined, false)
  for (const text of ['{"path":"/usr/bin/other"}', '{', 'null']) {
    writeFileSync(file, text)
    expect((await browsers.list()).find(({ id }) => id === 'chromium')).toMatchObject({ connected: false })
    await expect(browsers.disconnect('chromium', false)).rejects.toThrow(/Chromium is not connected/)
  }
})

test('a browser that is here in a sandbox only is said to be, with the way out; beside one that is not, it is none the matter', async () => {
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

test('a folder that is a file is said to be in the way', async () => {
  const { browsers, home } = machine()
  writeFileSync(join(home, '.mozilla'), '')
  await expect(browsers.connect('firefox', PROGRAM, undefined, false)).rejects.toThrow(/cannot be written/)
})

test('a browser nobody knows is told, with those there are', async () => {
  await expect(machine().browsers.connect('netscape', PROGRAM, undefined, true)).rejects.toThrow(
    /no browser netscape.*firefox/
  )
})

test('the launcher hands on every word as it is, whatever is in it', () => {
  const word = `a 'quoted' "word" $HOME \`x\` %PATH%; *`
  const file = join(tempFolder(), 'launcher')
  const show = ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))']
  writeFileSync(file, launcherFor({ command: process.execPath, args: [...show, word], packaged: false }, word, 'linux'))
  const said = execFileSync('/bin/sh', [file, 'chrome-extension://x/', 'two words'], { encoding: 'utf8' })
  expect(JSON.parse(said)).toEqual([word, 'native-host', '--data', word, 'chrome-extension://x/', 'two words'])
  expect(launcherFor(PROGRAM, 'C:\\100%', 'win32')).toBe(
    '@echo off\r\n/opt/Earmark/earmark native-host --data "C:\\100%%" %*\r\n'
  )
})
