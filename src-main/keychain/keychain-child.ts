/**
 * One keychain operation, in a process of its own: on Linux a locked keychain answers never and blocks what waits for
 * it, and only killing the process ends that. The request comes over IPC, so no secret is ever an argument.
 */

/** A request to this process. */
export type KeychainRequest = { service: string; account: string } & (
  | { operation: 'store'; secret: string }
  | { operation: 'read' }
  | { operation: 'remove' }
)

/** Its answer; before that, `started` once the keychain's library is loaded. */
export type KeychainReply = { value: string | boolean | null } | { error: string } | 'started'

// Under Electron it is a utility process, which has a port in place of Node's IPC.
if (process.parentPort) process.parentPort.once('message', ({ data }) => answer(data as KeychainRequest))
else process.once('message', (request: KeychainRequest) => answer(request))

function answer(request: KeychainRequest): void {
  perform(request).then(
    (value) => reply({ value }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) })
  )
}

async function perform(request: KeychainRequest): Promise<string | boolean | null> {
  const { AsyncEntry } = await import('@napi-rs/keyring').catch((error: Error) => {
    // Its binary for Windows imports VCRUNTIME140.dll, which a new Windows does not have.
    const help = process.platform === 'win32' ? ' Installing the Microsoft Visual C++ Redistributable helps.' : ''
    throw new Error(`The keychain’s library could not be loaded: ${error.message}.${help}`)
  })
  reply('started')
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
  // Whoever gets the answer ends the process; Node's IPC would otherwise keep it.
  if (process.parentPort) process.parentPort.postMessage(message)
  else process.send?.(message, () => message === 'started' || process.exit(0))
}
