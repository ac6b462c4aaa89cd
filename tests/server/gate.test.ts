import { describe, expect, test } from 'vitest'
import { type GateFacts, gate as gateOf } from '../../src-main/server/gate.ts'

const PORT = 20727
const OURS = `http://127.0.0.1:${PORT}`

/** The name that only the dashboard's browser knows. */
const DASHBOARD = `${'0123456789abcdef'.repeat(2)}.localhost`

/** Each Host line of a request, and the origin a page of ours has at that address. */
const HOSTS: { hosts: string[]; origin?: string }[] = [
  { hosts: [`127.0.0.1:${PORT}`], origin: OURS },
  { hosts: [`localhost:${PORT}`], origin: `http://localhost:${PORT}` },
  { hosts: [`${DASHBOARD}:${PORT}`], origin: `http://${DASHBOARD}:${PORT}` },
  ...[
    [],
    [''],
    ['127.0.0.1'],
    ['localhost'],
    [`127.0.0.1:${PORT + 1}`],
    [`LOCALHOST:${PORT}`],
    [`localhost.:${PORT}`],
    [DASHBOARD],
    [`${DASHBOARD}:${PORT + 1}`],
    [`${DASHBOARD}.:${PORT}`],
    [`${DASHBOARD.toUpperCase()}:${PORT}`],
    [`a.${DASHBOARD}:${PORT}`],
    [`${DASHBOARD.slice(1)}:${PORT}`],
    [`${'0'.repeat(32)}.localhost:${PORT}`],
    [`${DASHBOARD}.evil.example:${PORT}`],
    [`127.0.0.1.:${PORT}`],
    [`0.0.0.0:${PORT}`],
    [`[::1]:${PORT}`],
    [`127.1:${PORT}`],
    [`2130706433:${PORT}`],
    [`127.0.0.2:${PORT}`],
    [`evil.example:${PORT}`],
    [`127.0.0.1.evil.example:${PORT}`],
    [`127.0.0.1:${PORT}.evil.example`],
    [`evil.example@127.0.0.1:${PORT}`],
    [`127.0.0.1:${PORT}, 127.0.0.1:${PORT}`],
    [` 127.0.0.1:${PORT}`],
    [`127.0.0.1:0${PORT}`],
    [`127.0.0.1:${PORT}`, `127.0.0.1:${PORT}`],
    [`127.0.0.1:${PORT}`, 'evil.example'],
    ['evil.example', `127.0.0.1:${PORT}`]
  ].map((hosts) => ({ hosts }))
]

const ORIGINS: string[][] = [
  [],
  [OURS],
  [`http://localhost:${PORT}`],
  [`http://${DASHBOARD}:${PORT}`],
  [`http://${DASHBOARD}:${PORT + 1}`],
  [`http://${'0'.repeat(32)}.localhost:${PORT}`],
  ['null'],
  [''],
  [`https://127.0.0.1:${PORT}`],
  ['http://127.0.0.1'],
  [`http://127.0.0.1:${PORT + 1}`],
  [`HTTP://127.0.0.1:${PORT}`],
  [`${OURS}/`],
  [`${OURS}.evil.example`],
  ['https://evil.example'],
  ['chrome-extension://abcdefghijklmnop'],
  [OURS, OURS],
  [OURS, 'https://evil.example']
]

/** What a browser says of where a request comes from, and the methods that may come from there. */
const SITES: { site: string[]; mode: string[]; methods: 'all' | 'GET' | 'none' }[] = [
  { site: [], mode: [], methods: 'all' },
  { site: ['same-origin'], mode: ['cors'], methods: 'all' },
  { site: ['same-origin'], mode: ['navigate'], methods: 'all' },
  { site: ['same-origin'], mode: [], methods: 'all' },
  { site: ['none'], mode: ['navigate'], methods: 'GET' },
  { site: ['none'], mode: ['cors'], methods: 'none' },
  { site: ['none'], mode: [], methods: 'none' },
  { site: ['none'], mode: ['navigate', 'navigate'], methods: 'none' },
  { site: ['same-site'], mode: ['cors'], methods: 'none' },
  { site: ['same-site'], mode: ['navigate'], methods: 'none' },
  { site: ['cross-site'], mode: ['no-cors'], methods: 'none' },
  { site: ['cross-site'], mode: ['navigate'], methods: 'none' },
  { site: ['Same-Origin'], mode: ['cors'], methods: 'none' },
  { site: ['same-origin, cross-site'], mode: ['cors'], methods: 'none' },
  { site: ['same-origin', 'same-origin'], mode: ['cors'], methods: 'none' },
  { site: ['same-origin', 'cross-site'], mode: ['cors'], methods: 'none' },
  { site: [''], mode: [], methods: 'none' },
  { site: ['nonsense'], mode: [], methods: 'none' }
]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']

/** Where the socket comes from, and whether that is this machine. */
const ADDRESSES: [string | undefined, boolean][] = [
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.0.2.7', false],
  ['10.0.0.127', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::ffff:192.0.2.7', false],
  ['fe80::1', false],
  ['2001:db8::1', false],
  ['', false],
  [undefined, false]
]

/** A request target, and how it is refused where all else is well. */
const TARGETS: [string, number | undefined][] = [
  ['/', undefined],
  ['/api/tools/mcp', undefined],
  ['/api/tools/mcp?names=underscore', undefined],
  [`/${'x'.repeat(2047)}`, undefined],
  [`/${'x'.repeat(2048)}`, 414],
  [`${OURS}/`, 400],
  ['http://evil.example/', 400],
  [`http://evil.example/${'x'.repeat(3000)}`, 400],
  ['*', 400],
  ['127.0.0.1:443', 400],
  ['', 400]
]

/** The gate of the service whose dashboard has that name. */
const gate = (request: GateFacts) => gateOf(request, DASHBOARD)

const REQUEST: GateFacts = facts({})

describe('the gate', () => {
  test('lets in a program that names us and says nothing of a browser', () => {
    expect(gate(REQUEST)).toBeUndefined()
  })

  test('decides every Host with every Origin', () => {
    const cases = HOSTS.flatMap((host) => ORIGINS.map((origins) => ({ ...host, origins })))
    expect(cases.length).toBeGreaterThan(300)
    expectAll(cases, ({ hosts, origin, origins }) => ({
      request: facts({ hosts, origins }),
      expected: origin !== undefined && isOurs(origins, origin) ? undefined : 403
    }))
  })

  test('decides every Sec-Fetch-Site and mode with every method, with our Origin and without', () => {
    const cases = SITES.flatMap((site) =>
      METHODS.flatMap((method) => [[], [OURS]].map((origins) => ({ ...site, method, origins })))
    )
    expect(cases.length).toBeGreaterThan(200)
    expectAll(cases, ({ site, mode, methods, method, origins }) => ({
      request: facts({ site, mode, method, origins }),
      expected: methods === 'all' || methods === method ? undefined : 403
    }))
  })

  test('lets in exactly those requests of which every part is let in', () => {
    const some = {
      hosts: HOSTS.filter((_, index) => index % 4 < 2),
      origins: ORIGINS.filter((_, index) => index % 3 < 2),
      sites: SITES.filter((_, index) => index % 3 < 2)
    }
    const cases = some.hosts.flatMap((host) =>
      some.origins.flatMap((origins) =>
        some.sites.flatMap((site) =>
          ['GET', 'POST'].flatMap((method) =>
            ADDRESSES.filter((_, index) => index % 4 === 0).flatMap(([address, local]) =>
              TARGETS.filter((_, index) => index % 2 === 0).map(([url, refusal]) => {
                return { ...host, ...site, origins, method, address, local, url, refusal }
              })
            )
          )
        )
      )
    )
    expect(cases.length).toBeGreaterThan(10_000)
    expectAll(cases, ({ hosts, origin, origins, site, mode, methods, method, address, local, url, refusal }) => {
      const page = methods === 'all' || methods === method
      const welcome = local && origin !== undefined && isOurs(origins, origin) && page
      return { request: facts({ hosts, origins, site, mode, method, address, url }), expected: welcome ? refusal : 403 }
    })
  })

  test.each(ADDRESSES)('knows whether the address %s is this machine: %s', (address, local) => {
    expect(gate(facts({ address }))?.status).toBe(local ? undefined : 403)
  })

  test.each(TARGETS)('looks at the target: %.40s gets %s', (url, refusal) => {
    expect(gate(facts({ url }))?.status).toBe(refusal)
  })

  test.each(['HOST', 'Host', 'hOsT'])('reads a header written %s', (name) => {
    const own = ['127.0.0.1:20727', 'evil.example'].map((value) => {
      return gate({ ...REQUEST, rawHeaders: [name, value] })?.status
    })
    expect(own).toEqual([undefined, 403])
  })

  test('does not take a value that looks like a header for one', () => {
    const rawHeaders = ['X-Forwarded-Host', 'host', 'host', `127.0.0.1:${PORT}`]
    expect(gate({ ...REQUEST, rawHeaders })).toBeUndefined()
    expect(gate({ ...REQUEST, rawHeaders: ['x', 'host', `127.0.0.1:${PORT}`, 'y'] })?.code).toBe('foreign-host')
  })

  test('does not believe a proxy’s headers', () => {
    const rawHeaders = ['Host', 'evil.example', 'X-Forwarded-Host', `127.0.0.1:${PORT}`, 'Forwarded', 'for=127.0.0.1']
    expect(gate({ ...REQUEST, rawHeaders })?.status).toBe(403)
  })

  test('goes by the port it was reached at', () => {
    const moved = { ...REQUEST, socket: { remoteAddress: '127.0.0.1', localPort: PORT + 1 } }
    expect(gate(moved)?.code).toBe('foreign-host')
    expect(gate({ ...moved, rawHeaders: ['Host', `127.0.0.1:${PORT + 1}`] })).toBeUndefined()
  })

  test.each([
    ['foreign-address', facts({ address: '192.0.2.7' })],
    ['foreign-host', facts({ hosts: ['evil.example'] })],
    ['foreign-origin', facts({ origins: ['https://evil.example'] })],
    ['foreign-site', facts({ site: ['cross-site'] })],
    ['bad-target', facts({ url: '*' })],
    ['target-too-long', facts({ url: `/${'x'.repeat(5000)}` })]
  ])('says why: %s, without repeating what was sent', (code, request) => {
    const refusal = gate(request)
    expect(refusal?.code).toBe(code)
    expect(refusal?.message).not.toMatch(/evil|xxxx|192\.0\.2/)
  })
})

interface Parts {
  hosts?: string[]
  origins?: string[]
  site?: string[]
  mode?: string[]
  method?: string
  address?: string | undefined
  url?: string
}

/** A request from this machine to the root that names us, but for the parts given. */
function facts(parts: Parts): GateFacts {
  const { hosts = [`127.0.0.1:${PORT}`], origins = [], site = [], mode = [], method = 'GET', url = '/' } = parts
  const address = 'address' in parts ? parts.address : '127.0.0.1'
  const lines = (name: string, values: string[]) => values.flatMap((value) => [name, value])
  return {
    method,
    url,
    rawHeaders: [
      ...lines('Host', hosts),
      ...lines('Accept', ['*/*']),
      ...lines('Origin', origins),
      ...lines('Sec-Fetch-Site', site),
      ...lines('sec-fetch-mode', mode)
    ],
    socket: { remoteAddress: address, localPort: PORT }
  }
}

function isOurs(origins: string[], origin: string): boolean {
  return origins.length === 0 || (origins.length === 1 && origins[0] === origin)
}

/** Every case at once; the failure lists those that went wrong. */
function expectAll<Case>(
  cases: Case[],
  decide: (one: Case) => { request: GateFacts; expected: number | undefined }
): void {
  const wrong = cases.flatMap((one) => {
    const { request, expected } = decide(one)
    const status = gate(request)?.status
    return status === expected ? [] : [{ request, expected, status }]
  })
  expect(wrong.slice(0, 5)).toEqual([])
}

test('at the port that HTTP has when none is said, clients name none', () => {
  const facts = (host: string, origin?: string): GateFacts => ({
    method: 'POST',
    url: '/api/tools/mcp',
    rawHeaders: ['Host', host, ...(origin ? ['Origin', origin] : [])],
    socket: { remoteAddress: '127.0.0.1', localPort: 80 }
  })
  expect(gate(facts('127.0.0.1', 'http://127.0.0.1'))).toBeUndefined()
  expect(gate(facts('localhost', 'http://localhost'))).toBeUndefined()
  expect(gate(facts('evil.example'))?.code).toBe('foreign-host')
  expect(gate(facts('127.0.0.1', 'http://127.0.0.1:8080'))?.code).toBe('foreign-origin')
})

describe('a call that Electron’s own fetch makes, of Sec-Fetch-Site none', () => {
  const call = (headers: Record<string, string>, url = '/api/tools/mcp?names=underscore') =>
    gate({
      method: 'POST',
      url,
      rawHeaders: Object.entries({ host: `127.0.0.1:${PORT}`, 'sec-fetch-site': 'none', ...headers }).flat(),
      socket: { remoteAddress: '127.0.0.1', localPort: PORT }
    })?.status
  const keyed = { 'x-api-key': 'emk_x', 'sec-fetch-mode': 'no-cors' }

  test('is let in with a key to the endpoint', () => {
    expect([call(keyed), call({ 'x-api-key': 'emk_x' })]).toEqual([undefined, undefined])
  })

  test('is refused without a key, with an Origin, from another site and anywhere else', () => {
    expect([
      call({}),
      call({ ...keyed, origin: `http://127.0.0.1:${PORT}` }),
      call({ ...keyed, origin: 'null' }),
      call({ ...keyed, 'sec-fetch-site': 'cross-site' }),
      call({ ...keyed, 'sec-fetch-site': 'same-site' }),
      call(keyed, '/api/status'),
      call(keyed, '/api/tools/mcp/../keys'),
      call(keyed, '/')
    ]).toEqual(Array(8).fill(403))
  })
})
