import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NODE_FLAGS } from '../../src-main/host/own-program.ts'
import { frameOf } from '../../src-main/serve/bridge/speak-frames.ts'
import { json, OURS, serving, speakWith } from '../support/command-line.ts'
import { endProcess, launchEarmark, withoutKeychain } from '../support/earmark.ts'
import { prepareLibrary } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const PAGE = { type: 'link', url: 'https://a.example/host', title: 'By the host', tags: ['hosted'] }

/** The built host, as a browser starts it. */
function launchHost(data: string) {
  const { child, ended } = launchEarmark(['native-host', '--data', data, OURS], { env: withoutKeychain, input: true })
  return { child, ...speakWith({ stdin: child.stdin, stdout: child.stdout, ended }) }
}

test('what was asked before the browser went is still done', async () => {
  const { data } = await serving()
  const host = launchHost(data)
  host.child.stdout.destroy()
  for (let id = 0; id < 5; id++) host.write(frameOf({ id, ask: 'tags', page: {} }))
  host.write(frameOf({ id: 6, ask: 'save', page: { ...PAGE, url: 'https://a.example/last' } }))
  expect((await host.end()).code).toBe(0)
  expect(await json(['search', '--domain', 'a.example', '--data', data])).toMatchObject({
    bookmarks: [{ url: 'https://a.example/last' }]
  })
})

test('where no service runs it starts one, which goes on when the browser is gone, and may be killed between', async () => {
  const data = tempFolder()
  await prepareLibrary(data)
  const pid = () => (JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')) as { pid: number }).pid
  onTestFinished(() => endProcess(pid(), 'SIGTERM'))
  const host = launchHost(data)
  const saves = [1, 2, 3].map((n) => host.ask('save', { ...PAGE, url: `https://a.example/${n}` }))
  expect(await Promise.all(saves)).toMatchObject(Array(3).fill({ answer: { status: 'saved' } }))
  const first = pid()
  expect(readFileSync(`/proc/${first}/cmdline`, 'utf8').split('\0')).toEqual(expect.arrayContaining(NODE_FLAGS))
  await endProcess(first, 'SIGKILL')
  expect(await host.ask('search', { words: 'host' })).toMatchObject({ answer: { bookmarks: [{}, {}, {}] } })
  expect(pid()).not.toBe(first)
  await host.end()
  expect(existsSync(join(data, 'service.json'))).toBe(true)
  expect(() => process.kill(pid(), 0)).not.toThrow()
})
