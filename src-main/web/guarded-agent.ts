import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'
import { WebFault } from './web-fault.ts'

/**
 * Stands for the whole web in tests: names are resolved here, checked like any other, and what passes is connected to
 * this port of 127.0.0.1, without TLS unless it is asked for.
 */
export interface TestWire {
  port: number
  tls?: boolean
  resolve(host: string): string[]
  /** The networks this machine is in, as `address/bits`, if not those it really is in. */
  networks?(): string[]
}

/**
 * Connects to hosts of the public internet only. Whatever leads to a connection comes through here: an address in
 * figures is checked itself (it is never looked up), a name's addresses as the connection gets them, so that no second
 * answer of its name server can differ from the one that was checked. Knows no proxies.
 */
export function guardedAgent(wire?: TestWire): Agent {
  const connector = buildConnector({ timeout: CONNECT_MS, lookup: guardedLookup(wire), maxCachedSessions: 0 })
  return new Agent({
    keepAliveTimeout: KEEP_MS,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isPublicAddress(host, networksOf(wire))) return callback(new WebFault('address'), null)
      if (!wire) return connector(options, callback)
      const onWire = { ...options, port: String(wire.port), protocol: wire.tls ? options.protocol : 'http:' }
      return connector(isIP(host) === 0 ? onWire : { ...onWire, hostname: '127.0.0.1' }, callback)
    }
  })
}

/** The networks this machine is in now: it may have moved since the last connection. */
function networksOf(wire: TestWire | undefined): string[] {
  if (wire?.networks) return wire.networks()
  return Object.values(networkInterfaces()).flatMap((all = []) => all.flatMap(({ cidr }) => cidr ?? []))
}

/** A host that does not pick up within this is not reached. */
const CONNECT_MS = 5000

/** Long enough for a page's icon and picture. */
const KEEP_MS = 1000

/** All addresses of a name, or none where one of them is not public: then nothing the name says is trusted. */
function guardedLookup(wire: TestWire | undefined): LookupFunction {
  return (host, options, callback) => {
    addressesOf(host, wire).then(
      (found) => {
        const wanted = found.filter(({ family }) => !options.family || options.family === family)
        const [first] = wanted
        if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0)
        if (options.all) callback(null, wanted)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, '', 0)
    )
  }
}

async function addressesOf(host: string, wire: TestWire | undefined): Promise<{ address: string; family: number }[]> {
  const found = wire
    ? wire.resolve(host).map((address) => ({ address, family: isIP(address) }))
    : await systemLookup(host, { all: true, verbatim: true })
  const networks = networksOf(wire)
  if (!found.every(({ address }) => isPublicAddress(address, networks))) throw new WebFault('address')
  return wire && found.length > 0 ? [{ address: '127.0.0.1', family: 4 }] : found
}

/** Prefixes that carry an IPv4 address in their last 32 bits: mapped, and NAT64 (RFC 6052). */
const CARRIERS = new Set(['ipv4Mapped', 'rfc6052'])

/** The addresses that IANA has given out to the whole world so far. */
const GLOBAL = ipaddr.parseCIDR('2000::/3')

/**
 * Bits of an IPv6 address that a site has in common: providers give a home 56 of them, of which each of its networks
 * takes 64 (RFC 6177).
 */
const SITE_BITS = 56

/**
 * Whether an IP address belongs to a host of the public internet: not to this machine, its network, its provider's, or
 * to nobody.
 *
 * @param address as it is written in full: `127.1` is none
 * @param networks those this machine is in, as `address/bits`: hosts there may have addresses of the whole world
 */
function isPublicAddress(address: string, networks: string[] = []): boolean {
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain) || (plain.includes('.') && !plain.includes(':') && !FOUR_PARTS.test(plain))) return false
  const parsed = ipaddr.parse(plain)
  const host = CARRIERS.has(parsed.range()) ? new ipaddr.IPv4(parsed.toByteArray().slice(12)) : parsed
  if (host.range() !== 'unicast' || networks.some((network) => isIn(host, network))) return false
  return host instanceof ipaddr.IPv4 || host.match(GLOBAL as [ipaddr.IPv6, number])
}

function isIn(host: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network)
  if (host instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && host.match(base, bits)
  return base instanceof ipaddr.IPv6 && host.match(base, Math.min(bits, SITE_BITS))
}

const FOUR_PARTS = /^\d{1,3}(\.\d{1,3}){3}$/
