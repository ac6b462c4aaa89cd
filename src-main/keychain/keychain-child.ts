/**
 * Runs one keychain operation in a separate process. On Linux a locked keychain blocks its caller until the calling
 * process is killed. The request is sent over IPC, so that no secret is a program argument.
 */

export type KeychainRequest = { service: string; account: string } & (
  | { operation: 'store'; secret: string }
  | { operation: 'read' }
  | { operation: 'remove' }
)

/** The answer. Before the answer, `started` is sent after the keychain's library was loaded. */
export type KeychainReply = { value: string | boolean | null } | { error: string } | 'started'

// Electron's utility process has a port instead of Node's IPC.
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
    // Its Windows binary imports VCRUNTIME140.dll, which a new Windows does not have.
    const help = process.platform === 'win32' ? ' Installing the Microsoft Visual C++ Redistributable helps.' : ''
    throw new Error(`The keychain’s library could not be loaded: ${error.message}.${help}`)
  })
  reply('started')
  // Without this store, the library silently uses the kernel's keyring, which is emptied at logout.
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
  // Under Node, the process exits after its answer, because its IPC channel would keep it running.
  if (process.parentPort) process.parentPort.postMessage(message)
  else process.send?.(message, () => message === 'started' || process.exit(0))
}
