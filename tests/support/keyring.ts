import { onTestFinished, vi } from 'vitest'
import { startKeyring, withoutDesktop } from './keyring-session.ts'
import { tempFolder } from './temp-folder.ts'

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
  const { address, daemon, call, stop } = await startKeyring(home, {}, collection)
  onTestFinished(stop)
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', address)
  return {
    lock: () => call('Lock', `array:objpath:${LOGIN}`),
    freeze: () => void daemon.kill('SIGSTOP')
  }
}

/** A machine without a desktop: programs this process starts find no D-Bus session until the test is over. */
export function leaveDesktop(): string {
  const home = tempFolder()
  for (const [name, value] of Object.entries(withoutDesktop(home))) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  return home
}
