import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { createProgressBar, withProgress } from '../../src-main/cli/command.ts'
import { openInBrowser } from '../../src-main/cli/commands/serve.ts'
import { tempFolder } from '../support/temp-folder.ts'

describe('a progress bar', () => {
  /** An output that records what is drawn. */
  function screen(isTTY: boolean): { output: NodeJS.WriteStream; drawn: string[] } {
    const drawn: string[] = []
    const output = {
      isTTY,
      columns: 80,
      write: (text: string) => drawn.push(text) > 0,
      cursorTo: () => true,
      clearLine: (direction = 0) => direction === 1 || drawn.push('cleared') > 0
    }
    return { output: output as unknown as NodeJS.WriteStream, drawn }
  }

  function copy100Bytes(output: NodeJS.WriteStream, fault?: Error): Promise<void> {
    const bytes = Readable.from([Buffer.alloc(50), Buffer.alloc(50)])
    const sink = new Writable({ write: (_, __, next) => next(fault) })
    return pipeline(bytes, withProgress(100, output), sink)
  }

  test('is drawn in a terminal, and cleared at the end and after an error', async () => {
    const { output, drawn } = screen(true)
    await copy100Bytes(output)
    expect(drawn[0]).toBe(`[${'#'.repeat(15)}${' '.repeat(15)}] 50%`)
    expect(drawn.at(-1)).toBe('cleared')
    const failing = screen(true)
    await expect(copy100Bytes(failing.output, new Error('gone'))).rejects.toThrow('gone')
    expect(failing.drawn.at(-1)).toBe('cleared')
  })

  test('is not drawn outside a terminal', async () => {
    const { output, drawn } = screen(false)
    Object.assign(output, { clearLine: undefined })
    await copy100Bytes(output)
    createProgressBar(output).draw(0.5)
    expect(drawn).toEqual([])
  })

  test('is drawn up to 100 %', () => {
    const { output, drawn } = screen(true)
    const progress = createProgressBar(output, 'Reading [:bar]')
    progress.draw(0)
    progress.draw(1.2)
    expect(drawn).toEqual([`Reading [${' '.repeat(30)}]`, `Reading [${'#'.repeat(30)}]`, 'cleared'])
  })
})

describe.skipIf(process.platform === 'win32')('a login link', () => {
  const link = 'http://0123456789abcdef0123456789abcdef.localhost:20727/login#token'

  test('reaches the browser through a file of the owner, never as an argument', async () => {
    const { folder, opener } = fakeOpener('stat -c %a "$1" > "$0.mode"; cat "$1" > "$0.page"; echo "$@" > "$0.args"')
    expect(await openInBrowser(link, { opener, folder })).toBe(true)
    const recorded = (name: string) => readFileSync(`${opener[0]}.${name}`, 'utf8')
    expect(recorded('page')).toContain(`url=${link}">`)
    expect(recorded('args')).not.toContain('token')
    if (process.platform === 'linux') expect(recorded('mode').trim()).toBe('600')
  })

  test('leaves no file if no browser starts', async () => {
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
