import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** How often a starting daemon is asked whether it answers, and how many times, 20 ms apart. */
const MOST_TRIES = 250

/** Variables of the environment; `undefined` takes one away. */
export type Variables = Record<string, string | undefined>

/** A real gnome-keyring in a D-Bus session of its own. */
export interface KeyringSession {
  /** The D-Bus session's address. */
  address: string
  daemon: ChildProcess
  /** Calls the secret service with one argument, as dbus-send writes it. */
  call(method: string, argument: string): Promise<void>
  stop(): Promise<void>
}

/** What the environment is on a machine without a desktop, whose user's home is this folder. */
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
 * @param variables the home's, as `withoutDesktop` gives them
 * @param collection false for a daemon nobody ever logged in to: it has no collection to store into
 */
export async function startKeyring(home: string, variables: Variables, collection = true): Promise<KeyringSession> {
  const children: ChildProcess[] = []
  const config = join(home, 'bus.conf')
  writeFileSync(config, busIn(home))
  const env = { ...process.env, ...variables }
  const bus = await start('dbus-daemon', [`--config-file=${config}`, '--nofork', '--nopidfile', '--print-address'], env)
  children.push(bus)
  const address = await firstLine(bus)
  const inSession = { ...env, DBUS_SESSION_BUS_ADDRESS: address }
  const unlock = collection ? ['--unlock'] : []
  const daemon = await start('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...unlock], inSession)
  children.push(daemon)
  daemon.stdin?.end('password')

  async function call(method: string, argument: string): Promise<void> {
    const target = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', '/org/freedesktop/secrets']
    await run('dbus-send', [...target, `org.freedesktop.Secret.Service.${method}`, argument], { env: inSession })
  }

  async function stop(): Promise<void> {
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL') // also ends a stopped process
      await ended
    }
  }

  for (let tries = 1; ; tries++) {
    try {
      await call('ReadAlias', 'string:default')
      return { address, daemon, call, stop }
    } catch (error) {
      if (tries === MOST_TRIES) {
        await stop()
        throw error
      }
      await wait(20)
    }
  }
}

/** A bus that starts no services of its own, so that nothing else answers in the daemon's place. */
const busIn = (folder: string) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
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

const MISSING = 'These tests need gnome-keyring and dbus. On Debian or Ubuntu: sudo apt-get install gnome-keyring dbus'

async function firstLine(bus: ChildProcess): Promise<string> {
  if (!bus.stdout) throw new Error('dbus-daemon has no output')
  const missing = once(bus, 'exit').then(() => {
    throw new Error('dbus-daemon ended before it said its address')
  })
  const [line = ''] = (await Promise.race([once(createInterface(bus.stdout), 'line'), missing])) as string[]
  missing.catch(() => {}) // it ends with the test
  return line
}
