import { connectHost, type Host } from '../shared/host.ts'

/** The program costs memory while it runs, and time to start. */
const IDLE_MS = 20_000

let host: Host | undefined
let idle: ReturnType<typeof setTimeout> | undefined

/** Asks the one program that all in the background share; it ends when nobody asked for a while. */
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
