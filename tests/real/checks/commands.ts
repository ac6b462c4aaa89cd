import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EXTENSION } from '../../../src-main/contract/extension-id.ts'
import { frameOf } from '../../../src-main/serve/bridge/frames.ts'
import { startKeyring, withoutDesktop } from '../../support/keyring.ts'
import { type Check, expectThat } from '../check.ts'
import { type Ended, inFolder, type PackagedApp, runCommand, withApp } from '../packaged-app.ts'

/** No display, no session bus, and a home where what is left behind shows. */
function bareHome(folder: string): NodeJS.ProcessEnv {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, DBUS_SESSION_BUS_ADDRESS: ___, ...env } = process.env
  return { ...env, XDG_CONFIG_HOME: join(folder, 'config'), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }
}

function parsed({ code, stdout, stderr }: Ended): Record<string, unknown> {
  expectThat(code === 0, `code ${code}: ${stdout}${stderr}`)
  return JSON.parse(stdout) as Record<string, unknown>
}

const KEYRING = ['dbus-daemon', 'gnome-keyring-daemon', 'dbus-send']

export const commandChecks: Check[] = [
  {
    name: 'commands answer without a display, also behind --no-sandbox, and leave no profile',
    run: (app) =>
      inFolder(async (folder) => {
        const env = bareHome(folder)
        const begun = performance.now()
        const version = await runCommand(app, ['--version'], env)
        const took = Math.round(performance.now() - begun)
        expectThat(version.code === 0 && /^\d+\.\d+\.\d+\r?\n$/.test(version.stdout), JSON.stringify(version))
        const list = ['keys', 'list', '--json', '--data', join(folder, 'library')]
        parsed(await runCommand(app, ['--no-sandbox', ...list], env))
        const left = existsSync(join(folder, 'config')) ? readdirSync(join(folder, 'config')) : []
        expectThat(left.length === 0, `left in the configuration folder: ${left}`)
        return `--version in ${took} ms`
      })
  },
  {
    name: 'mcp-stdio answers initialize',
    run: (app) =>
      inFolder((folder) =>
        withApp(app, folder, async ({ data }) => {
          const env = bareHome(folder)
          const { key } = parsed(
            await runCommand(app, ['keys', 'create', '--name', 'x', '--json', '--data', data], env)
          )
          const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { client: { name: 'smoke' } } }
          const bridge = ['mcp-stdio', '--data', data]
          const answer = parsed(
            await runCommand(app, bridge, { ...env, EARMARK_KEY: String(key) }, `${JSON.stringify(hello)}\n`)
          )
          expectThat(answer.id === 1 && 'result' in answer, JSON.stringify(answer))
          return 'id 1, result'
        })
      )
  },
  {
    name: 'native-host answers the browser extension',
    run: (app) =>
      inFolder((folder) =>
        withApp(app, folder, async ({ data }) => {
          const args = ['native-host', '--data', data, `chrome-extension://${EXTENSION.chromium}/`]
          const asked = frameOf({ id: 1, ask: 'tags', page: {} }).toString('latin1')
          const { code, stdout, stderr } = await runCommand(app, args, bareHome(folder), asked)
          expectThat(code === 0 && stdout.slice(4) === '{"id":1,"answer":{"tags":[]}}', `${code}: ${stdout}${stderr}`)
          return 'id 1, no tags'
        })
      )
  },
  {
    name: 'the keychain takes, gives and forgets a key',
    notHere: () => (process.platform === 'linux' && !KEYRING.every(onPath) ? `needs ${KEYRING.join(', ')}` : undefined),
    run: (app) => inFolder((folder) => withKeychain(folder, (env) => keepAKey(app, folder, env)))
  }
]

/** On Linux a keyring of its own; elsewhere the account's, in which one key comes and goes. */
async function withKeychain<T>(folder: string, work: (env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> {
  if (process.platform !== 'linux') return work(bareHome(folder))
  const home = join(folder, 'home')
  mkdirSync(home)
  const variables = withoutDesktop(home)
  const keyring = await startKeyring(home, variables)
  const env = { ...process.env, ...variables, DBUS_SESSION_BUS_ADDRESS: keyring.address }
  try {
    return await work(env)
  } finally {
    await keyring.stop()
  }
}

async function keepAKey(app: PackagedApp, folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const data = join(folder, 'library')
  const run = async (...args: string[]) => parsed(await runCommand(app, [...args, '--json', '--data', data], env))
  const { id, key, keychain } = await run('keys', 'create', '--name', 'kept')
  expectThat(keychain === 'stored', `the keychain says ${keychain}`)
  // A bridge without a key of its own takes it from the keychain; the service tells whether it is the one.
  const hello = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const read = await withApp(
    app,
    folder,
    () => runCommand(app, ['mcp-stdio', '--data', data, '--key-id', String(id)], env, `${JSON.stringify(hello)}\n`),
    { env: { ...env, DISPLAY: process.env.DISPLAY ?? ':0' } }
  )
  expectThat('result' in parsed(read), `the key was not read back: ${read.stdout}${read.stderr}`)
  await run('keys', 'revoke', String(id))
  expectThat(typeof key === 'string', 'no key was shown')
  return 'stored, read, revoked'
}

function onPath(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))
}
