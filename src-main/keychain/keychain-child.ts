/**
 * One keychain operation, in a process of its own: on Linux a locked keychain answers never and blocks what waits for
 * it, and only killing the process ends that. The request comes over IPC, so no secret is ever an argument.
 */
import { AsyncEntry } from '@napi-rs/keyring'

export type KeychainRequest = { service: string; account: string } & (
  | { operation: 'store'; secret: string }
  | { operation: 'read' }
  | { operation: 'remove' }
)
export type KeychainReply = { value: string | boolean | null } | { error: string }

process.once('message', (request: KeychainRequest) => {
  perform(request).then(
    (value) => reply({ value }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) })
  )
})

async function perform(request: KeychainRequest): Promise<string | boolean | null> {
  // Named, because the library otherwise falls back without a word to the kernel's keyring, which forgets at logout.
  const entry = new AsyncEntry(request.service, request.account, { linux: { store: 'secret-service' } })
  switch (request.operation) {
    case 'store':
      await entry.setPassword(request.secret)
      return (await entry.getPassword()) === request.secret
    case 'read':
      return entry.getPassword()
    case 'remove':
      return entry.deleteCredential()
  }
}

function reply(message: KeychainReply): void {
  process.send?.(message, () => process.exit(0))
}
