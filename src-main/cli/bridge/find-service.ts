import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../contract/problem.ts'
import { prepareDataFolder } from '../../host/data-folder.ts'
import { readServiceFile } from '../../host/service-file.ts'
import { isGone } from '../connect.ts'
import { assertWell, clientOf, type ServiceClient } from '../service-client.ts'

export interface ServiceOptions {
  data?: string | undefined
  /** Starts a service that does not run, where that is wanted. */
  start: ((folder: string) => Promise<ServiceClient>) | undefined
  /** How to start the service, as a sentence for this host. */
  howToStart: string
}

/**
 * Gives the running service, which a restart may have moved; a rejection says what is wrong.
 *
 * @param lost nobody answered where it was last
 */
export type FindService = (lost: boolean) => Promise<ServiceClient>

/** Finds the service for each call; calls that come while one starts wait for the same one. */
export function createFindService({ data, start, howToStart }: ServiceOptions): FindService {
  let known: ServiceClient | undefined
  let starting: Promise<ServiceClient> | undefined

  async function find(): Promise<ServiceClient> {
    const folder = prepareDataFolder(data)
    const running = await findRunning(folder, known)
    if (running) return running
    if (!start) throw new Problem('service-unreachable', `Earmark is not running. ${howToStart}`)
    starting ??= start(folder).finally(() => {
      starting = undefined
    })
    return starting
  }

  return async (lost) => {
    if (lost) known = undefined
    known = await find()
    return known
  }
}

/** A service that was killed may take connections a moment longer, and the next one leave its file, in milliseconds. */
const LAST_MOMENT_MS = 1000

/** The service that left the file there is now; `undefined` where nobody answers. */
async function findRunning(folder: string, known: ServiceClient | undefined): Promise<ServiceClient | undefined> {
  for (let begun = performance.now(); ; await sleep(50)) {
    const facts = readServiceFile(folder)
    if (!facts) return undefined
    if (facts.token === known?.token && facts.url === known.url) return known
    const client = clientOf(facts)
    try {
      await assertWell(client)
      return client
    } catch (problem) {
      if (readServiceFile(folder)?.token !== facts.token) {
        // Another service has left its file meanwhile, however long the look at this one took.
        begun = performance.now()
        continue
      }
      if (await isGone(facts)) return undefined
      if (performance.now() - begun > LAST_MOMENT_MS) throw problem
    }
  }
}
