import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { picture } from '../support/pictures.ts'
import { tempFolder } from '../support/temp-folder.ts'

const register = pathToFileURL(join(import.meta.dirname, '../support/electron/register.js')).href

/** Runs a program on the stand-in, from where the app's own lie, and gives what it said. */
function run(program: string, env: NodeJS.ProcessEnv = {}): { stdout: string; stderr: string; status: number | null } {
  const folder = join(tempFolder(), 'out/main')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'program.mjs')
  writeFileSync(file, program)
  const home = { XDG_CONFIG_HOME: join(folder, 'config') }
  return spawnSync(process.execPath, ['--import', register, file], {
    encoding: 'utf8',
    input: 'sent',
    env: { ...process.env, ...home, NODE_OPTIONS: '', ...env }
  })
}

const tried = `
  const tried = (work) => { try { work(); return 'done' } catch (error) { return error.message } }
`

test('the stand-in refuses calls before ready and unknown calls', () => {
  const { stdout } = run(`import * as electron from 'electron'
    ${tried}
    const { app, BrowserWindow, utilityProcess } = electron
    console.log(tried(() => utilityProcess.fork('x.js')))
    console.log(tried(() => new BrowserWindow()))
    console.log(tried(() => app.getGPUInfo))
    process.exit(0)`)
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringContaining('before app is ready'),
    expect.stringContaining('before app is ready'),
    expect.stringContaining('has no app.getGPUInfo')
  ])
})

test('the stand-in imitates Windows for the app only, with standard input closed', () => {
  const { stdout } = run(
    `import { createRequire } from 'node:module'
    import 'electron'
    const inPackage = createRequire(${JSON.stringify(import.meta.url)})('detect-libc').familySync()
    const sent = []
    for await (const piece of process.stdin) sent.push(piece)
    console.log(process.platform, inPackage !== null, sent.length)
    process.exit(0)`,
    { STAND_IN_PLATFORM: 'win32' }
  )
  expect(stdout.trim()).toBe(`win32 ${process.platform === 'linux'} 0`)
})

test.runIf(process.platform === 'linux')('the stand-in exits without a display unless headless', () => {
  const program = "import { app } from 'electron'; app.whenReady().then(() => { console.log('ready'); app.exit(0) })"
  const none = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined }
  expect(run(program, none)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('$DISPLAY') })
  expect(run(program, { ...none, DISPLAY: ':0' })).toMatchObject({ status: 0, stdout: 'ready\n' })
})

test('on Wayland the stand-in accepts every shortcut and never fires one', () => {
  const program = `import { globalShortcut } from 'electron'
    console.log(globalShortcut.register('Alt+A', () => {}), globalShortcut.register('Alt+A', () => {}))
    globalShortcut.unregister('Alt+A')
    console.log(globalThis.recorded.shortcuts.size)
    process.exit(0)`
  expect(run(program, { XDG_SESSION_TYPE: 'wayland' }).stdout).toBe('true true\n1\n')
  expect(run(program, { XDG_SESSION_TYPE: 'x11' }).stdout).toBe('true false\n0\n')
})

test('on Windows the stand-in quotes a login item as Electron does, and on macOS registers what runs', () => {
  const program = `import { app } from 'electron'
    app.setLoginItemSettings({
      openAtLogin: true,
      path: 'C:\\\\Program Files\\\\Earmark.exe',
      args: ['--hidden', 'C:\\\\my library\\\\', 'a"b', '"quoted before"']
    })
    console.log(globalThis.recorded.loginItem)
    process.exit(0)`
  const [, command] = run(program, { STAND_IN_PLATFORM: 'win32' }).stdout.split(/\r?\n/)
  expect(command).toBe(String.raw`"C:\Program Files\Earmark.exe" --hidden "C:\my library\\" "a\"b" "\"quoted before\""`)
  expect(run(program, { STAND_IN_PLATFORM: 'darwin' }).stdout.trim()).toBe(process.execPath)
})

test('the stand-in’s clipboard drops an undecodable picture', async () => {
  const jpeg = Buffer.from(await picture('#336699', 'jpeg')).toString('base64')
  const { stdout, stderr } = run(`import { clipboard, ClipboardItem } from 'electron'
    const types = async () => (await clipboard.read())[0].types
    const write = (items) => clipboard.write([new ClipboardItem(items)])
    await write({ 'text/plain': 'a text', 'image/png': 'pixels' })
    console.log(await types())
    await write({ 'image/jpeg': new Blob([Buffer.from('${jpeg}', 'base64')]) })
    console.log(await types())
    globalThis.recorded.copiedElsewhere = { 'image/png': 'pixels' }
    const [item] = await clipboard.read()
    console.log(item.types, (await item.getType('image/png')).size)
    clipboard.clear()
    console.log(await types())
    process.exit(0)`)
  expect(stdout.trim().split('\n'), stderr).toEqual(["[ 'text/plain' ]", "[ 'image/png' ]", "[ 'image/png' ] 0", '[]'])
})

test.runIf(process.platform === 'linux')('the stand-in opens links in a program only after GIO has its entry', () => {
  const share = tempFolder()
  const program = `import { app } from 'electron'
    import { mkdirSync, writeFileSync } from 'node:fs'
    const take = () => app.setAsDefaultProtocolClient('earmark')
    const before = take()
    mkdirSync('${share}/applications')
    writeFileSync('${share}/applications/${manifest.desktopName}', '')
    const atOnce = take()
    await new Promise((resolve) => setTimeout(resolve, 400))
    console.log(before, atOnce, take(), globalThis.recorded.protocols)
    process.exit(0)`
  expect(run(program, { XDG_DATA_HOME: share }).stdout).toBe("false false true [ 'earmark' ]\n")
})

test('the recorder on the real runtime records the same as the stand-in', () => {
  const recorder = join(import.meta.dirname, '../support/electron/recorder.cjs')
  const { stdout, stderr } = run(
    `import { app } from 'electron'
    import { createRequire } from 'node:module'
    const shape = () => Object.fromEntries(Object.entries(globalThis.recorded).map(([name, value]) => [name, String(value)]))
    const standIn = shape()
    createRequire(import.meta.url)(${JSON.stringify(recorder)})
    console.log(JSON.stringify([standIn, shape()]))
    app.setAsDefaultProtocolClient('earmark')
    console.log(globalThis.recorded.protocols.join())
    process.exit(0)`,
    { STAND_IN_PACKAGED: '1' }
  )
  const [shapes = '[]', protocols] = stdout.trim().split('\n')
  const [standIn, real] = JSON.parse(shapes)
  expect(real, stderr).toEqual(standIn)
  expect(protocols).toBe('earmark')
})
