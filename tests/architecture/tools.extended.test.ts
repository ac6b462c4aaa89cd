import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'
import { chromiumPath, extensionChromiumPath, findTools, hasKeyring } from '../support/tools.ts'

/** A machine on whose path these programs are and no others; nothing can be downloaded there. */
function machineWith(programs: Record<string, string>): string {
  const folder = tempFolder()
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
  vi.stubEnv('PATH', folder)
  vi.stubEnv('CHROMIUM_PATH', undefined)
  vi.stubEnv('EXTENSION_CHROMIUM_PATH', undefined)
  vi.stubEnv('PLAYWRIGHT_BROWSERS_PATH', join(folder, 'none'))
  return folder
}

test('a machine without any of them is told what each is and how to install it', async () => {
  machineWith({})
  const { env, missing } = await findTools({ extensions: true })
  expect(env).toEqual({ EXTENSION_CHROMIUM_PATH: '' })
  expect(missing.map(({ name }) => name)).toEqual([
    'browser',
    'browser for extensions',
    ...(process.platform === 'linux' ? ['keyring'] : [])
  ])
  for (const { help } of missing) expect(help).toMatch(/^npx playwright install|^sudo apt-get install/)
})

test('a browser that is there and does not start is not taken', async () => {
  machineWith({ chromium: '#!/bin/sh\nexit 1\n' })
  const { missing } = await findTools({ extensions: true })
  expect(missing.map(({ name }) => name)).toEqual(expect.arrayContaining(['browser', 'browser for extensions']))
})

test.runIf(process.platform === 'linux')('a browser in a Snap is none, and a whole keyring is found', () => {
  const folder = machineWith({ chromium: '#!/bin/sh\nexec /snap/bin/chromium\n', 'dbus-daemon': '' })
  expect(chromiumPath()).not.toBe(join(folder, 'chromium'))
  expect(extensionChromiumPath()).toBeUndefined()
  expect(hasKeyring()).toBe(false)
  symlinkSync(join(folder, 'dbus-daemon'), join(folder, 'gnome-keyring-daemon'))
  expect(hasKeyring()).toBe(true)
})
