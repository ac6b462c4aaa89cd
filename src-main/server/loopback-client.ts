import type { LoopbackClient } from '../contract/ports.ts'

/** Our own service answers in milliseconds; what takes this long is something else. */
const TIMEOUT_MS = 5000

/** Calls programs on this machine, and nothing further away. */
export const loopbackClient: LoopbackClient = {
  async post(address, headers, body) {
    if (new URL(address).hostname !== '127.0.0.1') throw new Error('The loopback client calls 127.0.0.1 only.')
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    return { status: response.status, body: await response.text() }
  }
}
