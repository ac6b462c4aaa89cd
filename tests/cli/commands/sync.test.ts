import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { earmark, expectProblem, json, serving, startCommand } from '../../support/command-line.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { davServer } from '../../support/webdav-server.ts'

test('two machines have the same bookmarks after sync now on each, with and without a running service', async () => {
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
  // As `-` the code is read from standard input, so that `ps` does not show it.
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

test('sync now repairs a damaged file, with and without a running service', async () => {
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

test('without --json the output names the next step; sync pauses, resumes and leaves', async () => {
  const data = join(tempFolder(), 'data')
  const folder = tempFolder()
  await json(['add', 'https://here.example/', '--data', data])
  const stdout = async (...args: string[]) => (await earmark(['sync', ...args, '--data', data])).stdout
  expect(await stdout('status')).toMatch(/not set up. Begin with: .*earmark.* sync folder PATH/)
  await expectProblem(['sync', 'now', '--data', data], 'not-found', /not set up/)
  await expectProblem(['sync', 'pause', '--data', data], 'not-found', /not set up/)
  await expectProblem(['sync', 'leave', '--data', data], 'not-found', /not set up/)
  await expectProblem(['sync', 'password', '--data', data], 'not-found', /not set up/)
  expect(await stdout('folder', folder, '--name', 'laptop')).toMatch(
    /key to the folder.*\n(\w{4}-){13}\w{4}\nYour bookmarks are in the folder\..*sync status/s
  )
  await expectProblem(['sync', 'password', '--data', data], 'invalid', /through .*, which needs no password/)
  await json(['add', 'https://later.example/', '--data', data])
  expect(await stdout('pause')).toBe('Synchronization is paused.\n')
  expect(await stdout('now')).toContain('Synchronization is paused.')
  expect(await stdout('status')).toMatch(/^laptop, through .*, paused\nChanges yet to be sent: 1\./)
  expect(await stdout('resume')).toBe('Synchronization goes on.\n')
  expect(await stdout('now')).toBe('Changes sent: 1, received: 0.\n')
  expect(await stdout('leave')).toContain('Its bookmarks stay.')
  expect(await json(['sync', 'status', '--data', data])).toEqual({ sync: null })
})

test('a WebDAV server is used with a password that is read without echo and can be changed', async () => {
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
