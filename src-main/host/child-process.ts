import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { StartProcess } from '../contract/ports.ts'

/** Starts a child process with Node's `fork`. */
export const startNodeProcess: StartProcess = (program) => {
  const file = fileURLToPath(new URL(`./${program}.js`, import.meta.url))
  const child = fork(file, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [], serialization: 'advanced' })
  return {
    send: (request) => child.send(request as object, () => {}),
    onReply(listener) {
      child.on('message', (reply) => listener(reply as Parameters<typeof listener>[0]))
      child.once('exit', () => listener(undefined))
      child.once('error', () => listener(undefined))
    },
    kill: () => child.kill('SIGKILL')
  }
}

let start: StartProcess = startNodeProcess

/** For a host that cannot start Node's child processes. Called once, before anything is opened. */
export function startProcessesWith(other: StartProcess): void {
  start = other
}

/** Starts a child process as this host can. */
export const startProcess: StartProcess = (program) => start(program)
