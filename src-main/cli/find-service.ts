import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hc } from 'hono/client'
import { endpointAddress } from '../contract/endpoint.ts'
import { Problem } from '../contract/problem.ts'
import { isWellFormedKey } from '../core/key-format.ts'
import { prepareDataFolder } from '../host/data-folder.ts'
import { serviceProgram } from '../host/own-program.ts'
import { readServiceFile } from '../host/service-file.ts'
import type { Api } from '../server/api.ts'
import { assertHealthy, createClient, findRunning, isGone, read, type ServiceClient } from './service-client.ts'

export interface ServiceOptions {
  data?: string | undefined
  /** Starts a service if none runs; `undefined` if it must not. */
  start: ((folder: string) => Promise<ServiceClient>) | undefined
  /** A sentence with the way to start the service, for users of this host. */
  howToStart: string
}

/**
 * Finds the running service. A restart may have changed its address.
 *
 * @param last `lost` is true if the last request got no answer; with `mayStart` false, no service is started
 * @throws Problem
 */
export type FindService = (last: { lost?: boolean; mayStart?: boolean }) => Promise<ServiceClient>

/** Finds the service for each call. Calls that arrive while a service starts wait for it. */
export function createFindService({ data, start, howToStart }: ServiceOptions): FindService {
  let cached: ServiceClient | undefined
  let starting: Promise<ServiceClient> | undefined

  async function find(mayStart: boolean): Promise<ServiceClient> {
    const folder = prepareDataFolder(data)
    const running = await findNow(folder, cached)
    if (running) return running
    if (!start || !mayStart) throw new Problem('service-unreachable', `Earmark is not running. ${howToStart}`)
    starting ??= start(folder).finally(() => {
      starting = undefined
    })
    return starting
  }

  return async ({ lost = false, mayStart = true }) => {
    if (lost) cached = undefined
    cached = await find(mayStart)
    return cached
  }
}

/** Maximum time, in ms, until a killed service accepts no more connections and the next service has written its file. */
const HANDOVER_MS = 1000

/** Returns the service that the service file names; `undefined` if no process answers. */
async function findNow(folder: string, cached: ServiceClient | undefined): Promise<ServiceClient | undefined> {
  for (let startTime = performance.now(); ; await sleep(50)) {
    const facts = readServiceFile(folder)
    if (!facts) return undefined
    if (facts.token === cached?.token && facts.url === cached.url) return cached
    const client = createClient(facts)
    try {
      await assertHealthy(client)
      return client
    } catch (problem) {
      if (readServiceFile(folder)?.token !== facts.token) {
        // Another service has written its file since then, so the maximum time starts again.
        startTime = performance.now()
        continue
      }
      if (await isGone(facts)) return undefined
      if (performance.now() - startTime > HANDOVER_MS) throw problem
    }
  }
}

/** Maximum time to start a service, in ms. Opening a million bookmarks takes seconds, a repair takes longer. */
const START_MS = 30_000

/** A service that was started for a bridge ends after this many minutes without a request. */
const IDLE_MINUTES = 30

/** The file in the data folder with the output of such a service. */
const LOG = 'serve.log'

/**
 * Starts the service of a data folder. With a screen, it is the installed app without its window, otherwise the headless
 * service. It continues after this process ends. If another process starts a service at the same time, that
 * service is returned.
 *
 * @throws Problem `service-unreachable` with the last line that the service wrote
 */
export async function startService(folder: string): Promise<ServiceClient> {
  const { command, args, packaged } = serviceProgram()
  const mode = packaged && hasScreen() ? ['--hidden'] : ['serve', '--idle-exit', String(IDLE_MINUTES)]
  const log = openSync(join(folder, LOG), 'a', 0o600)
  const { EARMARK_KEY: _, ...env } = process.env
  const child = spawn(command, [...args, ...mode, '--data', folder], {
    detached: true,
    env,
    stdio: ['ignore', 'ignore', log]
  })
  closeSync(log)
  let ended = false
  const end = once(child, 'exit').catch(() => undefined)
  void end.then(() => {
    ended = true
  })
  child.unref()
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(50)) {
    const wasEnded = ended
    const running = await findRunning(folder)
    if (running) return running
    // The child has ended, perhaps because another process has the library. That process then serves in a moment.
    if (wasEnded && !(await waitUntilRunning(folder))) break
    if (wasEnded) ended = false
  }
  const lastLine = readFileSync(join(folder, LOG), 'utf8').trim().split('\n').at(-1) ?? ''
  throw new Problem('service-unreachable', `Earmark could not be started. ${lastLine}`.trim())
}

async function waitUntilRunning(folder: string): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    if (await findRunning(folder)) return true
    await sleep(100)
  }
  return false
}

function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

/** The endpoint of the running service, and the key for it. */
export interface McpTarget {
  url: string
  key: string
  fetch: ServiceClient['fetch']
}

/**
 * Finds the target for each call, because a restart may change the service's address.
 *
 * @param last the result of the last call: `refused` is the key that the service refused, which may have been replaced;
 *   `lost` is true if the service did not answer. With `mayStart` false, no service is started
 * @throws Problem
 */
export type FindTarget = (last: { refused?: string; lost?: boolean; mayStart?: boolean }) => Promise<McpTarget>

interface TargetOptions extends Omit<ServiceOptions, 'howToStart'> {
  keyId?: string | undefined
  underscoreNames: boolean
  /** Advice if no service runs, if no key is stored, and if several keys are stored, as sentences for this host. */
  advice: { start: string; makeKey: string; chooseKey: string }
}

/** Finds the service and the key for each call. */
export function createFindTarget({ data, keyId, underscoreNames, start, advice }: TargetOptions): FindTarget {
  const findService = createFindService({ data, start, howToStart: advice.start })
  let cached: string | undefined

  return async ({ refused, ...last }) => {
    const fromEnvironment = keyId === undefined ? keyInEnvironment() : undefined
    const service = await findService(last)
    if (cached === refused) cached = undefined
    const key = fromEnvironment ?? cached ?? (await findKey(service, keyId, advice))
    if (fromEnvironment === undefined) cached = key
    const url = `${endpointAddress(service.url)}${underscoreNames ? '?names=underscore' : ''}`
    return { url, key, fetch: service.fetch }
  }
}

function keyInEnvironment(): string | undefined {
  const key = process.env.EARMARK_KEY?.trim() || undefined
  if (key === undefined || isWellFormedKey(key)) return key
  throw new Problem(
    'invalid',
    'EARMARK_KEY is not a complete key: a key is emk_ followed by 49 letters and digits. Copy it again.'
  )
}

/** Returns the secret of the key with this id, or of the only active key whose secret is stored. */
async function findKey(
  service: ServiceClient,
  id: string | undefined,
  advice: TargetOptions['advice']
): Promise<string> {
  const fetch = (...args: ConstructorParameters<typeof Request>) => service.fetch(new Request(...args))
  const api = hc<Api>(`${service.url}/api`, { headers: { authorization: `Bearer ${service.token}` }, fetch })
  const chosen = id ?? onlyKey((await read(await api.keys.$get())).filter(isStored), advice)
  const { key } = await read(await api.keys[':id'].secret.$get({ param: { id: chosen } }))
  return key
}

function isStored({ state, keychain }: { state: string; keychain: string }): boolean {
  return state === 'active' && keychain !== 'shown-once'
}

function onlyKey(keys: { id: string; name: string }[], { makeKey, chooseKey }: TargetOptions['advice']): string {
  const [first, second] = keys
  if (!first) throw new Problem('not-found', `No stored API key. ${makeKey}, or set EARMARK_KEY to a key.`)
  if (second) {
    const names = keys.map((key) => `${key.id} (${key.name})`).join(', ')
    throw new Problem('invalid', `There are several stored keys. ${chooseKey}: ${names}`)
  }
  return first.id
}
