/** A child process of the host: Node's, or Electron's utility process. Messages are structured clones. */
export interface ChildProcess<Request, Reply> {
  send(request: Request): void
  /** Called with each reply, and with `undefined` when the process ended. */
  onReply(listener: (reply: Reply | undefined) => void): void
  kill(): void
}

/** The programs that run as child processes. Each is built as a file of this name beside the program that starts it. */
type ChildProgram = 'decoder-child' | 'keychain-child' | 'places-child'

export type StartProcess = <Request, Reply>(program: ChildProgram) => ChildProcess<Request, Reply>
