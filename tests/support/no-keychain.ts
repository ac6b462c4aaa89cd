import type { Keychain } from '../../src-main/contract/ports.ts'

/** Stands in at the keychain's port: there is none. */
export const noKeychain: Keychain = {
  store: async () => false,
  read: async () => undefined,
  remove: async () => {},
  fault: async () => 'there is none',
  close: async () => {}
}
