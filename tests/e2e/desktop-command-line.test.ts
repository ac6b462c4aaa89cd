import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { encodeFrame, readFrames } from '../../src-main/cli/commands/bridges.ts'
import { json, OURS, serving } from '../support/command-line.ts'
import { launchEarmark, withoutKeychain } from '../support/earmark.ts'
import { tempFolder } from '../support/temp-folder.ts'

const register = pathToFileURL(join(import.meta.dirname, '../support/electron/register.js')).href
const desktop = join(import.meta.dirname, '../../out/main/desktop.js')
const { DISPLAY: _, WAYLAND_DISPLAY: __, ...noDisplay } = withoutKeychain
const packaged = { ...noDisplay, NODE_OPTIONS: `--import ${register}`, STAND_IN_PACKAGED: '1' }

/** Runs the packaged app's executable with a command, without a display. */
async function runPackaged(args: string[], env: NodeJS.ProcessEnv = {}) {
  const { code, stdout, stderr } = await launchEarmark(args, { env: { ...packaged, ...env }, file: desktop }).ended
  return { code, stdout, stderr }
}

test('a command uses the keychain in a utility process, and leaves no files behind', async () => {
  const [data, home, temporary] = [tempFolder(), tempFolder(), tempFolder()]
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), TMPDIR: temporary }
  const ended = await runPackaged(['keys', 'create', '--name', 'x', '--json', '--data', data], env)
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(ended.stdout)).toMatchObject({ key: expect.stringMatching(/^emk_/), keychain: 'shown-once' })
  const lock = new DatabaseSync(join(data, 'earmark.lock'))
  lock.exec('BEGIN EXCLUSIVE')
  lock.close()
  // Chromium would create a profile here.
  expect(readdirSync(home)).toEqual([])
  // Node and Chromium's driver have caches here too.
  expect(readdirSync(temporary).filter((name) => name.startsWith('earmark-command'))).toEqual([])
})

test('a command returns its exit code, also after the switch that an AppImage puts first', async () => {
  expect(await runPackaged(['nonsense'])).toMatchObject({ code: 2, stdout: '' })
  const version = { code: 0, stdout: '0.1.0\n', stderr: '' }
  expect(await runPackaged(['--version'])).toEqual(version)
  expect(await runPackaged(['--no-sandbox', '--version'])).toEqual(version)
})

test('a slow reader gets the whole output of a command', async () => {
  const data = tempFolder()
  const file = join(tempFolder(), 'many.html')
  const long = 'word '.repeat(300)
  const items = Array.from(
    { length: 100 },
    (_, at) => `<DT><A HREF="https://a.example/${at}">long ${at}</A><DD>${long}`
  )
  writeFileSync(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL>\n${items.join('\n')}\n</DL>`)
  await json(['import', file, '--data', data])
  const args = ['search', 'long', '--limit', '100', '--json', '--data', data]
  const child = spawn(process.execPath, [desktop, ...args], { env: packaged, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  // A pipe holds 64 KB; until it is read, the rest waits in the process.
  await sleep(1500)
  const written = await text(child.stdout)
  expect(written.length).toBeGreaterThan(100_000)
  expect(JSON.parse(written)).toBeTypeOf('object')
  expect(await ended).toEqual([0, null])
})

test('an uncaught error is one line on stderr, and opens no dialog', async () => {
  const folder = tempFolder()
  const broken = join(folder, 'broken.cjs')
  writeFileSync(broken, "process.nextTick(() => setTimeout(() => { throw new Error('planted') }, 100))")
  const env = { NODE_OPTIONS: `--import ${register} --require ${broken}` }
  const ended = await runPackaged(['serve', '--port', '0', '--data', join(folder, 'data')], env)
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Earmark failed unexpectedly: planted') })
})

/**
 * Starts the packaged app's executable as other programs do. On Windows they call packaging/earmark.cmd, whose last line
 * is translated for the shell of this machine.
 */
function startAsPrograms(platform: string, args: string[]) {
  const env = { ...packaged, STAND_IN_PLATFORM: platform }
  if (platform !== 'win32') return spawn(process.execPath, [desktop, ...args], { env })
  const file = readFileSync(join(import.meta.dirname, '../../packaging/earmark.cmd'), 'utf8').replaceAll('\r\n', '\n')
  const [, variable = '', start = ''] = /^set (\w+=\w+)\n"%~dp0..\\Earmark.exe" (.*)$/m.exec(file) ?? []
  const words = start.replace('%*', '"$@"').replace('1>nul', '1>/dev/null')
  return spawn('/bin/sh', ['-c', `${variable} '${process.execPath}' '${desktop}' ${words}`, 'sh', ...args], { env })
}

test.for(['linux', 'win32'])('native-host answers in the packaged app on %s', async (platform) => {
  const { data } = await serving()
  const child = startAsPrograms(platform, ['native-host', '--data', data, OURS, '--parent-window=0'])
  const closed = once(child, 'close')
  child.stdin.write(encodeFrame({ id: 1, ask: 'tags', page: {} }))
  for await (const message of readFrames(child.stdout)) {
    expect(JSON.parse(message)).toEqual({ id: 1, answer: { tags: [] } })
    child.stdin.end()
  }
  expect(await closed).toEqual([0, null])
})

test.for(['linux', 'win32'])('mcp-stdio answers initialize in the packaged app on %s', async (platform) => {
  const child = startAsPrograms(platform, ['mcp-stdio', '--data', tempFolder()])
  const ended = once(child, 'close')
  const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { client: { name: 'a host' } } }
  child.stdin.end(`${JSON.stringify(hello)}\n`)
  const output = await text(child.stdout)
  expect(JSON.parse(output)).toMatchObject({ id: 1, result: { serverInfo: { name: 'earmark' } } })
  expect(output).toMatch(/^\{.*\}\n$/)
  expect(await ended).toEqual([0, null])
})

test('on Windows a command returns its output and exit code, also with arguments that look like switches', async () => {
  const run = async (args: string[]) => {
    const child = startAsPrograms('win32', args)
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    return { output, code }
  }
  const data = tempFolder()
  const searched = await run(['search', 'tag:x', 'words', '--json', '--data', data])
  expect({ ...searched, output: JSON.parse(searched.output) }).toMatchObject({ code: 0, output: { bookmarks: [] } })
  expect(await run(['nonsense'])).toEqual({ code: 2, output: expect.stringContaining('nonsense') })
})

test('on macOS a click on the icon or on a link starts the app although a command runs', async () => {
  const [folder, data] = [tempFolder(), tempFolder()]
  const log = join(folder, 'opened')
  writeFileSync(join(folder, 'open'), `#!/bin/sh\nprintf "%s\\n" "$*" >> '${log}'\n`, { mode: 0o755 })
  const env = { ...packaged, STAND_IN_PLATFORM: 'darwin', PATH: `${folder}:${process.env.PATH}` }
  const child = fork(desktop, ['mcp-stdio', '--data', data], { env, silent: true })
  const ended = once(child, 'exit')
  child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  if (child.stdout) await once(child.stdout, 'data')
  const emit = (...event: unknown[]) =>
    child.send({ id: 1, source: '({ app }, event) => app.emit(...event)', arg: event })
  emit('activate')
  await sleep(1200)
  expect(existsSync(log), 'macOS sends this event at the start without a click').toBe(false)
  emit('activate')
  child.send({
    id: 2,
    source: `({ app }) => app.emit('open-url', { preventDefault() {} }, 'earmark://capture')`,
    arg: undefined
  })
  await expect
    .poll(() => existsSync(log) && readFileSync(log, 'utf8').trim().split('\n').toSorted())
    .toEqual([`-n ${process.execPath} --args`, `-n ${process.execPath} --args earmark://capture`])
  child.stdin?.end()
  expect(await ended).toEqual([0, null])
})

test('the stand-in writes and refuses the same as Electron on Windows', async () => {
  const onWindows = { STAND_IN_PLATFORM: 'win32' }
  expect(await runPackaged(['--version'], onWindows)).toMatchObject({ code: 0, stdout: '\r\n0.1.0\n' })
  expect(await runPackaged(['search', 'tag:x', '--json'], onWindows)).toMatchObject({ code: 255, stdout: '' })
})
