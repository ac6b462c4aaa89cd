import { join } from 'node:path'
import { utilityProcess } from 'electron'
import type { KeychainProcess } from '../contract/keychain-process.ts'

/** One keychain operation in a utility process: with the fuse off, Electron starts no plain Node process. */
export function startUtilityProcess(): KeychainProcess {
  const child = utilityProcess.fork(join(import.meta.dirname, 'keychain-child.js'), [], {
    stdio: 'ignore',
    serviceName: 'Earmark keychain'
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
