import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { modeOf } from '../support/command-line.ts'
import { launchEarmark, runCommand, startEarmark, withoutKeychain } from '../support/earmark.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('everything in the data folder is the owner’s alone, and secrets are in no command line of ours', async () => {
  const data = tempFolder()
  chmodSync(data, 0o755)
  const service = await startEarmark(data, [], { env: withoutKeychain })
  const seen = new Set<string>()
  const args = ['keys', 'create', '--name', 'watched', '--json', '--data', data]
  const command = launchEarmark(args, { env: withoutKeychain })
  let over = false
  void command.ended.then(() => {
    over = true
  })
  while (!over) {
    for (const line of commandLines()) seen.add(line)
    await setImmediate()
  }
  const { key } = JSON.parse(command.stdout)
  const { token } = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8'))
  const json = { 'content-type': 'application/json' }
  const { id } = await post(
    `${service.url}/api/keys`,
    { ...json, authorization: `Bearer ${token}` },
    { name: 'kept', keyFile: true }
  )
  const params = { name: 'bookmarks.insert', arguments: { urls: 'https://a.example/' } }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  expect(JSON.stringify(await post(service.mcp, { ...json, 'x-api-key': key }, call))).toContain('saved')

  expect(modeOf(data)).toBe('700')
  const found = readdirSync(data, { recursive: true, withFileTypes: true })
  const names = found.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['library.sqlite', 'library.sqlite-wal', 'library.sqlite-shm']))
  expect(names).toEqual(expect.arrayContaining(['earmark.lock', 'service.json', 'keys', `${id}.key`]))
  for (const entry of found) {
    expect(modeOf(join(entry.parentPath, entry.name)), entry.name).toBe(entry.isDirectory() ? '700' : '600')
  }

  if (process.platform !== 'linux') return
  const all = [...seen].join('\n')
  expect(all).toContain('keys create --name watched')
  expect(all).toContain('keychain-child')
  for (const secret of [key, token, new URL(service.login).hash.slice(1)]) expect(all).not.toContain(secret)
})

test.runIf(process.platform === 'linux')('the data folder is the platform’s when none is named', async () => {
  const home = tempFolder()
  const env = { ...withoutKeychain, HOME: home, XDG_DATA_HOME: join(home, 'data') }
  expect((await runCommand(['keys', 'list', '--json'], env)).stdout).toBe('{"keys":[]}\n')
  expect(readdirSync(join(home, 'data'))).toEqual(['Earmark'])
  expect(existsSync(join(home, 'data/Earmark/library.sqlite'))).toBe(true)
})

test.runIf(process.platform === 'linux')('an account without a home works on the data folder it names', async () => {
  const folder = tempFolder()
  const { HOME: _, XDG_DATA_HOME: __, NODE_OPTIONS = '', ...env } = withoutKeychain
  // As Node answers for an account that the system has no entry of, which only root could start a process as.
  const homeless = join(folder, 'homeless.mjs')
  const source = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module'
    os.homedir = () => { if (!process.env.HOME) throw new Error('ENOENT'); return process.env.HOME }
    syncBuiltinESMExports()`
  writeFileSync(homeless, source)
  const run = (...args: string[]) => runCommand(args, { ...env, NODE_OPTIONS: `${NODE_OPTIONS} --import=${homeless}` })
  expect((await run('keys', 'create', 'mine', '--data', join(folder, 'data'))).code).toBe(0)
  const { code, stderr } = await run('keys', 'list')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^Earmark cannot create or write to the data folder .* --data\.\n$/)
  })
})

async function post(url: string, headers: Record<string, string>, body: object) {
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

/** What every process on this machine was started with, where the system says so. */
function commandLines(): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return '' // it ended meanwhile
      }
    })
}
