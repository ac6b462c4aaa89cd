import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openInBrowser } from '../../src-main/serve/commands/serve.ts'
import { tempFolder } from '../support/temp-folder.ts'

const link = 'http://0123456789abcdef0123456789abcdef.localhost:20727/login#token'

describe.skipIf(process.platform === 'win32')('a login link reaches the browser', () => {
  test('by a file that only its owner can read, never as an argument', async () => {
    const { folder, opener } = fakeOpener('stat -c %a "$1" > "$0.mode"; cat "$1" > "$0.page"; echo "$@" > "$0.args"')
    expect(await openInBrowser(link, { opener, folder })).toBe(true)
    const seen = (name: string) => readFileSync(`${opener[0]}.${name}`, 'utf8')
    expect(seen('page')).toContain(`url=${link}">`)
    expect(seen('args')).not.toContain('token')
    if (process.platform === 'linux') expect(seen('mode').trim()).toBe('600')
  })

  test('or leaves nothing behind where no browser can be started', async () => {
    const { folder, opener } = fakeOpener('exit 3')
    expect(await openInBrowser(link, { opener, folder })).toBe(false)
    expect(await openInBrowser(link, { opener: [join(folder, 'missing')], folder })).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('earmark-login'))).toEqual([])
    expect(await openInBrowser(link, { opener, folder: join(folder, 'missing') })).toBe(false)
    expect(existsSync(join(folder, 'missing'))).toBe(false)
  })

  function fakeOpener(script: string) {
    const folder = tempFolder()
    const program = join(folder, 'opener')
    writeFileSync(program, `#!/bin/sh\n${script}\n`)
    chmodSync(program, 0o755)
    return { folder, opener: [program] }
  }
})
