import { describe, expect, test } from 'vitest'
import { gate as decide, type GateFacts } from '../../src-main/server/gate.ts'

const PORT = 20727
const OWN = `http://127.0.0.1:${PORT}`

/** The name that only the dashboard's browser knows. */
const DASHBOARD = `${'0123456789abcdef'.repeat(2)}.localhost`

/** The Host lines of a request, and the origin of the dashboard's pages at that address. */
const HOSTS: { hosts: string[]; origin?: string }[] = [
  { hosts: [`127.0.0.1:${PORT}`], origin: OWN },
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
  [OWN],
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
  [`${OWN}/`],
  [`${OWN}.evil.example`],
  ['https://evil.example'],
  ['chrome-extension://abcdefghijklmnop'],
  [OWN, OWN],
  [OWN, 'https://evil.example']
]

/** The headers in which a browser names the site of a request, and the methods that are allowed from there. */
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

/** The address of a socket, and whether it is of this machine. */
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

/** A request target, and the status with which an otherwise allowed request is refused. */
const TARGETS: [string, number | undefined][] = [
  ['/', undefined],
  ['/api/tools/mcp', undefined],
  ['/api/tools/mcp?names=underscore', undefined],
  [`/${'x'.repeat(2047)}`, undefined],
  [`/${'x'.repeat(2048)}`, 414],
  ['/\\evil.example/x', 400],
  [`${OWN}/`, 400],
  ['http://evil.example/', 400],
  [`http://evil.example/${'x'.repeat(3000)}`, 400],
  ['*', 400],
  ['127.0.0.1:443', 400],
  ['', 400]
]

const gate = (request: GateFacts) => decide(request, DASHBOARD)

describe('the gate', () => {
  test('allows a program that sends no headers of a browser', () => {
    expect(gate(facts({}))).toBeUndefined()
  })

  test('allows a request only if its Host, Origin, Sec-Fetch-Site, mode and method are all allowed', () => {
    const cases = HOSTS.flatMap((host) =>
      ORIGINS.flatMap((origins) =>
        SITES.flatMap((site) => METHODS.map((method) => ({ ...host, origins, ...site, method })))
      )
    )
    expect(cases.length).toBeGreaterThan(60_000)
    const wrong = cases.filter(({ hosts, origin, origins, site, mode, methods, method }) => {
      const isOwnPage = origins.length === 0 || (origins.length === 1 && origins[0] === origin)
      const allowed = origin !== undefined && isOwnPage && (methods === 'all' || methods === method)
      return gate(facts({ hosts, origins, site, mode, method }))?.status !== (allowed ? undefined : 403)
    })
    expect(wrong.slice(0, 5)).toEqual([])
  })

  test('refuses a foreign address or Host with 403, whatever the target', () => {
    for (const [url] of TARGETS) {
      expect(gate(facts({ url, address: '192.0.2.7' }))?.status).toBe(403)
      expect(gate(facts({ url, hosts: ['evil.example'] }))?.status).toBe(403)
    }
  })

  test.each(ADDRESSES)('reads the address %s as this machine: %s', (address, local) => {
    expect(gate(facts({ address }))?.status).toBe(local ? undefined : 403)
  })

  const targets = TARGETS.map(([url, status]) => ({ target: url.slice(0, 40), url, status }))
  test.each(targets)('answers the target “$target” with $status', ({ url, status }) => {
    expect(gate(facts({ url }))?.status).toBe(status)
  })

  test.each(['HOST', 'Host', 'hOsT'])('reads the header %s', (name) => {
    const statuses = [`127.0.0.1:${PORT}`, 'evil.example'].map((value) => {
      return gate({ ...facts({}), headersDistinct: parsed([name, value]) })?.status
    })
    expect(statuses).toEqual([undefined, 403])
  })

  test('does not read a value as a header', () => {
    const rawHeaders = ['X-Forwarded-Host', 'host', 'host', `127.0.0.1:${PORT}`]
    expect(gate({ ...facts({}), headersDistinct: parsed(rawHeaders) })).toBeUndefined()
    expect(gate({ ...facts({}), headersDistinct: parsed(['x', 'host', `127.0.0.1:${PORT}`, 'y']) })?.code).toBe(
      'foreign-host'
    )
  })

  test('ignores the headers of a proxy', () => {
    const rawHeaders = ['Host', 'evil.example', 'X-Forwarded-Host', `127.0.0.1:${PORT}`, 'Forwarded', 'for=127.0.0.1']
    expect(gate({ ...facts({}), headersDistinct: parsed(rawHeaders) })?.status).toBe(403)
  })

  test('compares Host with the port of the socket, and with no port at port 80', () => {
    const at = (localPort: number, host: string, origin?: string) =>
      gate({
        ...facts({ hosts: [host], origins: origin === undefined ? [] : [origin] }),
        socket: { remoteAddress: '127.0.0.1', localPort }
      })?.code
    expect(at(PORT + 1, `127.0.0.1:${PORT}`)).toBe('foreign-host')
    expect(at(PORT + 1, `127.0.0.1:${PORT + 1}`)).toBeUndefined()
    expect(at(80, '127.0.0.1', 'http://127.0.0.1')).toBeUndefined()
    expect(at(80, 'localhost', 'http://localhost')).toBeUndefined()
    expect(at(80, 'evil.example')).toBe('foreign-host')
    expect(at(80, '127.0.0.1', 'http://127.0.0.1:8080')).toBe('foreign-origin')
  })

  test.each([
    ['foreign-address', facts({ address: '192.0.2.7' })],
    ['foreign-host', facts({ hosts: ['evil.example'] })],
    ['foreign-origin', facts({ origins: ['https://evil.example'] })],
    ['foreign-site', facts({ site: ['cross-site'] })],
    ['bad-target', facts({ url: '*' })],
    ['target-too-long', facts({ url: `/${'x'.repeat(5000)}` })]
  ])('refuses with the code %s and repeats nothing of the request', (code, request) => {
    const refusal = gate(request)
    expect(refusal?.code).toBe(code)
    expect(refusal?.message).not.toMatch(/evil|xxxx|192\.0\.2/)
  })
})

describe('a call by Electron’s own fetch, with Sec-Fetch-Site: none,', () => {
  const call = (headers: Record<string, string>, url = '/api/tools/mcp?names=underscore') => {
    const rawHeaders = Object.entries({ host: `127.0.0.1:${PORT}`, 'sec-fetch-site': 'none', ...headers }).flat()
    return gate({ ...facts({ method: 'POST', url }), headersDistinct: parsed(rawHeaders) })?.status
  }
  const withKey = { 'x-api-key': 'emk_x', 'sec-fetch-mode': 'no-cors' }

  test('is allowed to the endpoint with a key', () => {
    const bearer = { authorization: 'Bearer emk_x' }
    expect([call(withKey), call({ 'x-api-key': 'emk_x' }), call(bearer)]).toEqual(Array(3).fill(undefined))
  })

  test('is refused without a key, with an Origin, from another site and at other paths', () => {
    expect([
      call({}),
      call({ ...withKey, origin: `http://127.0.0.1:${PORT}` }),
      call({ ...withKey, origin: 'null' }),
      call({ ...withKey, 'sec-fetch-site': 'cross-site' }),
      call({ ...withKey, 'sec-fetch-site': 'same-site' }),
      call(withKey, '/api/status'),
      call(withKey, '/api/tools/mcp/../keys'),
      call(withKey, '/')
    ]).toEqual(Array(8).fill(403))
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

/** A request from this machine for `/` with the service's Host, except for the given parts. */
function facts(parts: Parts): GateFacts {
  const { hosts = [`127.0.0.1:${PORT}`], origins = [], site = [], mode = [], method = 'GET', url = '/' } = parts
  const address = 'address' in parts ? parts.address : '127.0.0.1'
  const lines = (name: string, values: string[]) => values.flatMap((value) => [name, value])
  return {
    method,
    url,
    headersDistinct: parsed([
      ...lines('Host', hosts),
      ...lines('Accept', ['*/*']),
      ...lines('Origin', origins),
      ...lines('Sec-Fetch-Site', site),
      ...lines('sec-fetch-mode', mode)
    ]),
    socket: { remoteAddress: address, localPort: PORT }
  }
}

/** Groups names and values in turn, as Node does. */
function parsed(rawHeaders: string[]): GateFacts['headersDistinct'] {
  const all: Record<string, string[]> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    const values = all[name.toLowerCase()] ?? []
    all[name.toLowerCase()] = [...values, value]
  }
  return all
}
