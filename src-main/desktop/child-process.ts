import { join } from 'node:path'
import { utilityProcess } from 'electron'
import type { StartProcess } from '../contract/ports.ts'

/**
 * Starts a child process as a utility process, because the packaged app's fuses forbid plain Node processes. Only works
 * after the app's `ready` event.
 */
export const startUtilityProcess: StartProcess = (program) => {
  const child = utilityProcess.fork(join(import.meta.dirname, `${program}.js`), [], {
    stdio: 'ignore',
    serviceName: `Earmark ${program}`
  })
  return {
    send: (request) => child.postMessage(request),
    onReply(listener) {
      child.on('message', listener)
      child.once('exit', () => listener(undefined))
    },
    kill: () => child.kill()
  }
}
