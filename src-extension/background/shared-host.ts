import { connectHost, type Host } from '../shared/host.ts'

/** The program ends after this time without a request, in ms: it takes memory while it runs, and time to start. */
const IDLE_MS = 20_000

let host: Host | undefined
let idle: ReturnType<typeof setTimeout> | undefined

/** Sends a request to the program that all background code shares. */
export const askHost: Host['ask'] = async (ask, page) => {
  clearTimeout(idle)
  host ??= connectHost(() => {
    host = undefined
  })
  try {
    return await host.ask(ask, page)
  } finally {
    clearTimeout(idle)
    idle = setTimeout(() => {
      host?.close()
      host = undefined
    }, IDLE_MS)
  }
}
