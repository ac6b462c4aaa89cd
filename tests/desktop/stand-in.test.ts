import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
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

test('the stand-in refuses what comes before ready, and what it does not have', () => {
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

test('the stand-in is Windows to the app alone, whose standard input is at its end', () => {
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

test.runIf(process.platform === 'linux')('the stand-in ends without a display, unless none is asked for', () => {
  const program = "import { app } from 'electron'; app.whenReady().then(() => { console.log('ready'); app.exit(0) })"
  const none = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined }
  expect(run(program, none)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('$DISPLAY') })
  expect(run(program, { ...none, DISPLAY: ':0' })).toMatchObject({ status: 0, stdout: 'ready\n' })
})

test('on Wayland the stand-in takes every shortcut and gives none back', () => {
  const program = `import { globalShortcut } from 'electron'
    console.log(globalShortcut.register('Alt+A', () => {}), globalShortcut.register('Alt+A', () => {}))
    globalShortcut.unregister('Alt+A')
    console.log(globalThis.recorded.shortcuts.size)
    process.exit(0)`
  expect(run(program, { XDG_SESSION_TYPE: 'wayland' }).stdout).toBe('true true\n1\n')
  expect(run(program, { XDG_SESSION_TYPE: 'x11' }).stdout).toBe('true false\n0\n')
})
