import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { onTestFinished, vi } from 'vitest'
import { tempFolder } from './temp-folder.ts'

const run = promisify(execFile)

const LOGIN = '/org/freedesktop/secrets/collection/login'

/** A real gnome-keyring in a D-Bus session of its own. Programs this process starts use it until the test is over. */
export interface Keyring {
  /** What the owner's desktop does when the screen locks. */
  lock(): Promise<void>
  /** The daemon is there but answers nobody. */
  freeze(): void
}

/**
 * Opens a keyring in an empty home.
 *
 * @param options.collection false for a daemon nobody ever logged in to: it has no collection to store into
 */
export async function openKeyring({ collection = true } = {}): Promise<Keyring> {
  const home = leaveDesktop()
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', await startBus(home))
  const daemon = await start('gnome-keyring-daemon', [
    '--foreground',
    '--components=secrets',
    ...(collection ? ['--unlock'] : [])
  ])
  daemon.stdin?.end('password')
  await vi.waitFor(() => callService('ReadAlias', 'string:default'), { timeout: 5000, interval: 20 })
  return {
    lock: () => callService('Lock', `array:objpath:${LOGIN}`),
    freeze: () => void daemon.kill('SIGSTOP')
  }
}

/** A machine without a desktop: programs this process starts find no D-Bus session until the test is over. */
export function leaveDesktop(): string {
  const home = tempFolder()
  const runtime = join(home, 'runtime')
  mkdirSync(runtime, { mode: 0o700 })
  vi.stubEnv('HOME', home)
  vi.stubEnv('XDG_RUNTIME_DIR', runtime)
  for (const name of ['DATA', 'CONFIG', 'CACHE', 'STATE']) vi.stubEnv(`XDG_${name}_HOME`, join(home, name))
  for (const name of ['DBUS_SESSION_BUS_ADDRESS', 'DISPLAY', 'WAYLAND_DISPLAY']) vi.stubEnv(name, undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  return home
}

/** Starts a bus that starts no services of its own, so that nothing else answers in the daemon's place. */
async function startBus(home: string): Promise<string> {
  const config = join(home, 'bus.conf')
  writeFileSync(config, BUS)
  const bus = await start('dbus-daemon', [`--config-file=${config}`, '--nofork', '--nopidfile', '--print-address'])
  if (!bus.stdout) throw new Error('dbus-daemon has no output')
  const lines = createInterface(bus.stdout)
  const missing = once(bus, 'exit').then(() => {
    throw new Error('dbus-daemon ended before it said its address')
  })
  const [address] = (await Promise.race([once(lines, 'line'), missing])) as string[]
  return address ?? ''
}

const BUS = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`

/** Starts a program that is gone after the test. */
async function start(program: string, args: string[]): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  await once(child, 'spawn').catch(() => {
    throw new Error(MISSING)
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL') // also ends a stopped process
    await ended
  })
  return child
}

const MISSING = 'These tests need gnome-keyring and dbus. On Debian or Ubuntu: sudo apt-get install gnome-keyring dbus'

async function callService(method: string, argument: string): Promise<void> {
  const target = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', '/org/freedesktop/secrets']
  await run('dbus-send', [...target, `org.freedesktop.Secret.Service.${method}`, argument])
}
