import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { earmark, expectProblem, json, serving, startCommand } from '../../support/command-line.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { davServer } from '../../support/webdav-server.ts'

test('two machines, one of which serves, have the same after each said now', async () => {
  const folder = tempFolder()
  const { data: here } = await serving()
  const there = join(tempFolder(), 'data')
  await json(['add', 'https://here.example/', '--tag', 'work', '--data', here])
  const { code, device } = await json(['sync', 'folder', folder, '--name', 'laptop', '--data', here])
  expect(device).toMatch(/^[0-9a-f]{32}$/)
  expect(await json(['sync', 'code', '--data', here])).toEqual({ code })
  await expectProblem(['sync', 'folder', folder, '--data', there], 'invalid', /Join it with the sync code/)
  await json(['add', 'https://there.example/', '--data', there])
  await json(['sync', 'now', '--data', here])
  const joining = ['sync', 'folder', folder, '--name', 'desk', '--code', code, '--data', there]
  const refused = await earmark(joining, 'n\n')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/Joining adds 1 here and 1 there.*Join\?/) })
  expect(await json(['sync', 'status', '--data', there])).toEqual({ sync: null })
  // As `ps` shows it to nobody.
  const hidden = joining.map((word) => (word === code ? '-' : word))
  expect((await earmark(hidden, `${code}\ny\n`)).stdout).toContain('This machine has joined.')
  expect(await json(['sync', 'now', '--data', here])).toMatchObject({ waiting: [] })
  expect(await json(['sync', 'now', '--data', there])).toEqual({ sent: 1, received: 1, waiting: [] })
  await json(['sync', 'now', '--data', here])
  for (const data of [here, there]) {
    const { total } = await json(['search', 'site:example', '--data', data])
    expect(total).toBe(2)
  }
  const { sync } = await json(['sync', 'status', '--data', there])
  expect(sync).toMatchObject({ name: 'desk', folder, paused: false, unsent: 0, devices: [{ name: 'laptop' }] })
})

test('now repairs a damaged file of the machine it is called on, whether Earmark runs there or not', async () => {
  const { data: running } = await serving()
  for (const data of [running, join(tempFolder(), 'data')]) {
    const folder = tempFolder()
    await json(['add', 'https://a.example/', '--data', data])
    const { device } = await json(['sync', 'folder', folder, '--data', data])
    await json(['sync', 'now', '--data', data])
    truncateSync(join(folder, 'earmark-sync', device, '00000000-000001.last'), 0)
    expect(await json(['sync', 'now', '--data', data])).toMatchObject({ resent: true, waiting: [] })
  }
})

test('without --json it says what to do next, pauses, and leaves', async () => {
  const data = join(tempFolder(), 'data')
  const folder = tempFolder()
  await json(['add', 'https://here.example/', '--data', data])
  const say = async (...args: string[]) => (await earmark(['sync', ...args, '--data', data])).stdout
  expect(await say('status')).toMatch(/not set up. Begin with: .*earmark.* sync folder PATH/)
  await expectProblem(['sync', 'now', '--data', data], 'not-found', /not set up/)
  await expectProblem(['sync', 'pause', '--data', data], 'not-found', /not set up/)
  await expectProblem(['sync', 'leave', '--data', data], 'not-found', /not set up/)
  expect(await say('folder', folder, '--name', 'laptop')).toMatch(
    /key to the folder.*\n(\w{4}-){13}\w{4}\n.*sync status/s
  )
  expect(await say('pause')).toBe('Synchronization is paused.\n')
  expect(await say('now')).toContain('Synchronization is paused.')
  expect(await say('status')).toMatch(/^laptop, through .*, paused\nChanges yet to be sent: 1\./)
  expect(await say('resume')).toBe('Synchronization goes on.\n')
  expect(await say('now')).toBe('Changes sent: 1, received: 0.\n')
  expect(await say('leave')).toContain('Its bookmarks stay.')
  expect(await json(['sync', 'status', '--data', data])).toEqual({ sync: null })
})

test('a WebDAV server, whose password is read without being shown, and can be changed', async () => {
  const server = await davServer()
  server.makeFolder('/dav/notes')
  const data = join(tempFolder(), 'data')
  const address = `http://127.0.0.1:${server.port}/dav/notes`
  const begin = ['sync', 'webdav', address, '--user', 'ada', '--password', '-', '--data', data]
  expect((await earmark(begin, 'wrong\n')).stderr).toContain('does not accept the user name and password')
  await expectProblem(['sync', 'webdav', '/notes', '--data', data], 'invalid', /which begins with https:/)
  expect(await earmark([...begin, '--name', 'laptop'], 'secret\n')).toMatchObject({ code: 0 })
  server.password = 'changed'
  await expectProblem(['sync', 'now', '--data', data], 'invalid', /Check both/)
  const changing = startCommand(['sync', 'password', '--data', data])
  Object.assign(changing.stdin, { isTTY: true, setRawMode: () => {} })
  changing.stdin.end('changed\r')
  expect(await changing.ended).toMatchObject({ code: 0, stderr: 'Password: \n' })
  expect(await json(['sync', 'now', '--data', data])).toMatchObject({ waiting: [] })
  const { sync } = await json(['sync', 'status', '--data', data])
  expect(sync).toMatchObject({ name: 'laptop', folder: address.replace('://', '://ada@'), unsent: 0 })
})
