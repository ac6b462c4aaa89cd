/** A real gnome-keyring in a D-Bus session of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished, vi } from 'vitest'
import { tempFolder } from './temp-folder.ts'

const run = promisify(execFile)

/** How often a starting daemon is called until it answers, every 20 ms. */
const MAX_TRIES = 250
const MISSING = 'These tests need gnome-keyring and dbus. On Debian or Ubuntu: sudo apt-get install gnome-keyring dbus'

/** Variables of the environment; `undefined` removes one. */
export type Variables = Record<string, string | undefined>

export interface KeyringSession {
  /** The D-Bus session's address. */
  address: string
  /** Locks the keyring, as a desktop does with the screen. */
  lock(): Promise<void>
  /** Stops the daemon without ending it, so that it answers nobody. */
  freeze(): void
  stop(): Promise<void>
}

/** Returns the environment of a machine without a desktop, whose user's home is this folder. */
export function withoutDesktop(home: string): Variables {
  const runtime = join(home, 'runtime')
  mkdirSync(runtime, { mode: 0o700 })
  return {
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    ...Object.fromEntries(['DATA', 'CONFIG', 'CACHE', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(home, name)])),
    DBUS_SESSION_BUS_ADDRESS: undefined,
    DISPLAY: undefined,
    WAYLAND_DISPLAY: undefined
  }
}

/**
 * Starts an unlocked keyring in a home.
 *
 * @param variables as `withoutDesktop` returns them for this home
 * @param collection false for the daemon of a user who never logged in: it has no collection to store a key in
 */
export async function startKeyring(home: string, variables: Variables, collection = true): Promise<KeyringSession> {
  const config = join(home, 'bus.conf')
  writeFileSync(config, busConfiguration(home))
  const env = { ...process.env, ...variables }
  const bus = await start('dbus-daemon', [`--config-file=${config}`, '--nofork', '--nopidfile', '--print-address'], env)
  const address = await readAddress(bus)
  const inSession = { ...env, DBUS_SESSION_BUS_ADDRESS: address }
  const unlock = collection ? ['--unlock'] : []
  const daemon = await start('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...unlock], inSession)
  daemon.stdin?.end('password')

  async function call(method: string, argument: string): Promise<void> {
    const target = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', '/org/freedesktop/secrets']
    await run('dbus-send', [...target, `org.freedesktop.Secret.Service.${method}`, argument], { env: inSession })
  }

  async function stop(): Promise<void> {
    for (const child of [daemon, bus]) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL') // also ends a stopped process
      await ended
    }
  }

  for (let tries = 1; ; tries++) {
    try {
      await call('ReadAlias', 'string:default')
      const lock = () => call('Lock', 'array:objpath:/org/freedesktop/secrets/collection/login')
      return { address, lock, freeze: () => void daemon.kill('SIGSTOP'), stop }
    } catch (error) {
      if (tries < MAX_TRIES) await sleep(20)
      else {
        await stop()
        throw error
      }
    }
  }
}

/** Opens a keyring in an empty home. Programs that this process starts use it until the test is over. */
export async function openKeyring({ collection = true } = {}): Promise<KeyringSession> {
  const session = await startKeyring(leaveDesktop(), {}, collection)
  onTestFinished(session.stop)
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', session.address)
  return session
}

/** Programs that this process starts find no D-Bus session until the test is over. @returns their home */
export function leaveDesktop(): string {
  const home = tempFolder()
  for (const [name, value] of Object.entries(withoutDesktop(home))) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  return home
}

/** A bus that starts no services itself, so that nothing else answers in the daemon's place. */
const busConfiguration = (
  folder: string
) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${folder}/bus</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`

async function start(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], env })
  await once(child, 'spawn').catch(() => {
    throw new Error(MISSING)
  })
  return child
}

async function readAddress({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('dbus-daemon has no output')
  for await (const line of createInterface(stdout)) return line
  throw new Error('dbus-daemon ended before it printed its address')
}
