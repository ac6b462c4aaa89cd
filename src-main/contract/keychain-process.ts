/** What the keychain's child process is asked. */
export type KeychainRequest = { service: string; account: string } & (
  | { operation: 'store'; secret: string }
  | { operation: 'read' }
  | { operation: 'remove' }
)

export type KeychainReply = { value: string | boolean | null } | { error: string }

/** The child process: Node's, or Electron's utility process. */
export interface KeychainProcess {
  send(request: KeychainRequest): void
  /** Called with the reply, or with `undefined` when the process ended without one. */
  onReply(listener: (reply: KeychainReply | undefined) => void): void
  kill(): void
}
