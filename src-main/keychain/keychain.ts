import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChildProcess, Keychain, KeyFiles, StartProcess } from '../contract/ports.ts'
import { createQueue } from '../core/queue.ts'
import type { KeychainReply, KeychainRequest } from './keychain-child.ts'

/**
 * Maximum time for the keychain to answer, in ms. An unlocked keychain answers in about 40 ms. On Linux, a keychain
 * never answers if nobody can see its prompt. macOS shows a prompt after each update of an unsigned build, which the
 * owner needs time to read.
 */
const TIMEOUT_MS = process.platform === 'darwin' ? 120_000 : 1500

/** Maximum time for the child process to start, in ms. In a packaged app it takes seconds on a busy machine. */
const START_MS = 15_000

const SERVICE = 'Earmark'

type Answer = Exclude<KeychainReply, 'started'>

/** Opens the operating system's keychain. It runs one operation at a time, each in a child process that it can kill. */
export function openKeychain(start: StartProcess, timeoutMs = TIMEOUT_MS): Keychain {
  const queue = createQueue()
  const running = new Set<ChildProcess<KeychainRequest, KeychainReply>>()
  let closed = false

  function perform(request: KeychainRequest): Promise<Answer> {
    return queue.add(() => once(request)).catch((error): Answer => ({ error: String(error) }))
  }

  function once(request: KeychainRequest): Promise<Answer> {
    if (closed) return Promise.resolve({ error: 'The keychain is closed.' })
    return new Promise((resolve) => {
      const child = start<KeychainRequest, KeychainReply>('keychain-child')
      running.add(child)
      let limit = setTimeout(() => finish({ error: 'The keychain’s process did not start.' }), START_MS)
      const finish = (reply: Answer) => {
        clearTimeout(limit)
        running.delete(child)
        child.kill()
        resolve(reply)
      }
      child.onReply((reply) => {
        if (!running.has(child)) return
        if (reply !== 'started') return finish(reply ?? { error: 'The keychain’s process ended without an answer.' })
        clearTimeout(limit)
        limit = setTimeout(() => finish({ error: 'The keychain did not answer.' }), timeoutMs)
      })
      child.send(request)
    })
  }

  const store = (account: string, secret: string) => perform({ service: SERVICE, account, operation: 'store', secret })
  const remove = (account: string) => perform({ service: SERVICE, account, operation: 'remove' })

  return {
    async store(account, secret) {
      const reply = await store(account, secret)
      return 'value' in reply && reply.value === true
    },
    async read(account) {
      const reply = await perform({ service: SERVICE, account, operation: 'read' })
      return 'value' in reply && typeof reply.value === 'string' ? reply.value : undefined
    },
    async remove(account) {
      await remove(account)
    },
    async fault() {
      const account = `doctor-${randomBytes(8).toString('hex')}`
      const reply = await store(account, randomBytes(16).toString('hex'))
      if ('error' in reply) return reply.error
      if (reply.value !== true) return 'It returned a different secret than the one it was given.'
      await remove(account)
      return undefined
    },
    async close() {
      closed = true
      for (const child of running) child.kill()
      await queue.onIdle()
    }
  }
}

/** Opens secrets in files of mode 0600 in `keys/` in the data folder. Every program of the owner can read them. */
export function openKeyFiles(dataFolder: string): KeyFiles {
  const folder = join(dataFolder, 'keys')
  const fileOf = (id: string) => join(folder, `${id}.key`)
  return {
    async write(id, secret) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(fileOf(id), `${secret}\n`, { mode: 0o600 })
      await chmod(fileOf(id), 0o600)
      return fileOf(id)
    },
    async read(id) {
      return readFile(fileOf(id), 'utf8').then(
        (text) => text.trim(),
        () => undefined
      )
    },
    async remove(id) {
      await rm(fileOf(id), { force: true })
    }
  }
}
