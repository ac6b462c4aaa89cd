import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { earmark } from '../../support/command-line.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** A command line with an empty home folder. */
function person() {
  const [data, home] = [tempFolder(), tempFolder()]
  putEmptyLibrary(data)
  vi.stubEnv('HOME', home)
  vi.stubEnv('XDG_CONFIG_HOME', '')
  expect(homedir()).toBe(home) // so that the tests write nothing into the real home
  return { data, home, connect: (...args: string[]) => earmark(['connect', ...args, '--data', data]) }
}

test('--dry-run changes nothing, --undo restores the file, and the list shows the state', async () => {
  const { home, connect } = person()
  const file = join(home, '.codex/config.toml')
  expect((await connect('codex', '--dry-run')).stdout).toContain(`Would change ${file}`)
  expect(existsSync(file)).toBe(false)
  await connect('codex', '--key-file')
  expect((await connect()).stdout).toMatch(/^codex +connected /m)
  expect((await connect('codex', '--undo')).stdout).toContain(`Restored ${file}`)
  expect(existsSync(file)).toBe(false)
})

test('without a keychain the key is written to the editor’s file, announced before, and never printed', async () => {
  const { home, connect } = person()
  expect((await connect('codex', '--dry-run')).stdout).toContain('the key itself would be in the file')
  const { stdout } = await connect('codex')
  expect(stdout).toContain('the key itself is in the file')
  const [key = ''] = readFileSync(join(home, '.codex/config.toml'), 'utf8').match(/emk_\w+/) ?? []
  expect(key).toHaveLength(53)
  expect(stdout).toContain(`${key.slice(0, 10)}…`)
  expect(stdout).not.toContain(key)
  expect((await connect('codex', '--undo')).stdout).toMatch(
    /The key Codex \([\w-]+\) still works\. To revoke it: .* keys revoke/
  )
})

test('a browser’s manifest is written, listed as connected, and removed', async () => {
  const { data, home, connect } = person()
  const file = join(home, '.config/chromium/NativeMessagingHosts/app.earmark.host.json')
  expect((await connect('chromium', '--dry-run')).stdout).toContain(`Would write ${file}`)
  expect(existsSync(file)).toBe(false)
  expect((await connect('chromium')).stdout).toContain(`Wrote ${file}. Earmark’s extension in Chromium`)
  expect((await connect()).stdout).toMatch(/^chromium +connected +Chromium$/m)
  expect(JSON.parse(readFileSync(file, 'utf8')).path.startsWith(data)).toBe(true)
  expect((await connect('chromium', '--undo')).stdout).toContain(`Removed ${file}.`)
  expect(existsSync(file)).toBe(false)
})

test.each([
  ['editor', 'goose', '.config/goose'],
  ['browser', 'chromium', '.config/chromium']
])('a file for an %s that is not installed is announced as such', async (kind, id, folder) => {
  const { home, connect } = person()
  vi.stubEnv('PATH', '')
  const absence = `The ${kind} was not found on this computer`
  expect((await connect(id, '--dry-run')).stdout).toContain(`${absence}, so this file would have no effect`)
  expect((await connect(id)).stdout).toContain(`${absence}, so this file has no effect until you install it.`)
  mkdirSync(join(home, folder), { recursive: true })
  expect((await connect(id)).stdout).not.toContain('was not found')
})

test.each([
  ['chromium --undo', /Chromium is not connected/],
  ['emacs', /There is no editor emacs\. Known: vscode/],
  ['codex --undo', /Codex is not connected/],
  ['codex --key-id x', /no active key with the id x/]
])('earmark connect %s exits with 1 and the reason', async (line, message) => {
  const { connect } = person()
  expect(await connect(...line.split(' '))).toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
})
