/** A request to the keychain's child process. */
export type KeychainRequest = { service: string; account: string } & (
  | { operation: 'store'; secret: string }
  | { operation: 'read' }
  | { operation: 'remove' }
)

/** Its answer, and before that the word that it runs. */
export type KeychainReply = { value: string | boolean | null } | { error: string } | 'started'

/** The child process: Node's, or Electron's utility process. */
export interface KeychainProcess {
  send(request: KeychainRequest): void
  /** Called with each reply, and with `undefined` when the process ended. */
  onReply(listener: (reply: KeychainReply | undefined) => void): void
  kill(): void
}
