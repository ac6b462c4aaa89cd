import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { StartProcess } from '../contract/child-process.ts'

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
