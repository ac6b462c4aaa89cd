import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../contract/problem.ts'
import { prepareDataFolder } from '../../host/data-folder.ts'
import { readServiceFile, type ServiceFacts } from '../../host/service-file.ts'
import { assertOurs, isGone } from '../connect.ts'

export interface ServiceOptions {
  data?: string | undefined
  /** Starts a service that does not run, where that is wanted. */
  start: ((folder: string) => Promise<ServiceFacts>) | undefined
  /** What a person does where nothing runs, as a sentence for this host. */
  howToStart: string
}

/**
 * Gives the running service, which a restart may have moved; a rejection says what is wrong.
 *
 * @param lost nobody answered where it was last
 */
export type FindService = (lost: boolean) => Promise<ServiceFacts>

/** Finds the service for each call; calls that come while one starts wait for the same one. */
export function createFindService({ data, start, howToStart }: ServiceOptions): FindService {
  let known: string | undefined
  let starting: Promise<ServiceFacts> | undefined

  async function find(): Promise<ServiceFacts> {
    const folder = prepareDataFolder(data)
    const running = readServiceFile(folder)
    if (running && (running.token === known || (await isThere(running)))) return running
    if (!start) throw new Problem('service-unreachable', `Earmark is not running. ${howToStart}`)
    starting ??= start(folder).finally(() => {
      starting = undefined
    })
    return starting
  }

  return async (lost) => {
    if (lost) known = undefined
    const running = await find()
    known = running.token
    return running
  }
}

/** A service that was killed may take connections a moment longer, in milliseconds. */
const LAST_MOMENT_MS = 1000

/** Nothing secret is shown to anybody but the service that left the file. */
async function isThere(running: ServiceFacts): Promise<boolean> {
  for (const begun = performance.now(); ; await sleep(50)) {
    try {
      await assertOurs(running)
      return true
    } catch (problem) {
      if (await isGone(running)) return false
      if (performance.now() - begun > LAST_MOMENT_MS) throw problem
    }
  }
}
