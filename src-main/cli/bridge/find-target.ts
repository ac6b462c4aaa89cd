import { hc } from 'hono/client'
import { endpointOf } from '../../contract/endpoint.ts'
import { Problem } from '../../contract/problem.ts'
import { isWellFormedKey } from '../../core/key-format.ts'
import type { Api } from '../../server/api.ts'
import { read } from '../connect.ts'
import type { ServiceClient } from '../service-client.ts'
import type { FindTarget } from './carry.ts'
import { createFindService, type ServiceOptions } from './find-service.ts'

interface TargetOptions extends Omit<ServiceOptions, 'howToStart'> {
  keyId?: string | undefined
  underscoreNames: boolean
  /** Advice if nothing runs, and if no key or several are stored, as sentences for this host. */
  advice: { start: string; makeKey: string; chooseKey: string }
}

/** Finds the service and the key for each call. */
export function createFindTarget({ data, keyId, underscoreNames, start, advice }: TargetOptions): FindTarget {
  const findService = createFindService({ data, start, howToStart: advice.start })
  let kept: string | undefined

  return async ({ refused, lost = false }) => {
    const own = keyId === undefined ? keyInEnvironment() : undefined
    const running = await findService(lost)
    if (kept === refused) kept = undefined
    const key = own ?? kept ?? (await findKey(running, keyId, advice))
    if (own === undefined) kept = key
    const mcp = `${endpointOf(running.url)}${underscoreNames ? '?names=underscore' : ''}`
    return { mcp, key, fetch: running.fetch }
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

/** The secret of the key that was named, or of the only active one whose secret is kept. */
async function findKey(
  service: ServiceClient,
  id: string | undefined,
  advice: TargetOptions['advice']
): Promise<string> {
  const fetch = (...asked: ConstructorParameters<typeof Request>) => service.fetch(new Request(...asked))
  const api = hc<Api>(`${service.url}/api`, { headers: { authorization: `Bearer ${service.token}` }, fetch })
  const chosen = id ?? onlyOne((await read(await api.keys.$get())).filter(isKept), advice)
  const { key } = await read(await api.keys[':id'].secret.$get({ param: { id: chosen } }))
  return key
}

function isKept({ state, keychain }: { state: string; keychain: string }): boolean {
  return state === 'active' && keychain !== 'shown-once'
}

function onlyOne(keys: { id: string; name: string }[], { makeKey, chooseKey }: TargetOptions['advice']): string {
  const [first, second] = keys
  if (!first) throw new Problem('not-found', `No stored API key. ${makeKey}, or set EARMARK_KEY to a key.`)
  if (second) {
    const names = keys.map((key) => `${key.id} (${key.name})`).join(', ')
    throw new Problem('invalid', `There are several stored keys. ${chooseKey}: ${names}`)
  }
  return first.id
}
