import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'
import { WebFault } from './site-answer.ts'

/**
 * Replaces the web in tests. It resolves names, the addresses are checked as usual, and allowed connections go to this
 * port of 127.0.0.1, by default without TLS.
 */
export interface TestWire {
  port: number
  tls?: boolean
  resolve(host: string): string[]
  /** Replaces the networks of this machine, as `address/bits`. */
  networks?(): string[]
}

/**
 * Connects to hosts of the public internet only, without proxies. A numeric address is checked here. The addresses of a
 * name are checked in the lookup of the connection itself, so that the name server cannot return other addresses after
 * the check.
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

/** Reads this machine's networks. Called for each connection, because the machine may have changed its network. */
function networksOf(wire: TestWire | undefined): string[] {
  if (wire?.networks) return wire.networks()
  return Object.values(networkInterfaces()).flatMap((all = []) => all.flatMap(({ cidr }) => cidr ?? []))
}

const CONNECT_MS = 5000

/** How long a connection stays open for a page’s icon and picture, in ms. */
const KEEP_MS = 1000

/** Resolves a name, and refuses it if any of its addresses is not public. */
function guardedLookup(wire: TestWire | undefined): LookupFunction {
  return (host, options, callback) => {
    addressesOf(host, wire).then(
      (all) => {
        const addresses = all.filter(({ family }) => !options.family || options.family === family)
        const [first] = addresses
        if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0)
        if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, '', 0)
    )
  }
}

async function addressesOf(host: string, wire: TestWire | undefined): Promise<{ address: string; family: number }[]> {
  const addresses = wire
    ? wire.resolve(host).map((address) => ({ address, family: isIP(address) }))
    : await systemLookup(host, { all: true, verbatim: true })
  const networks = networksOf(wire)
  if (!addresses.every(({ address }) => isPublicAddress(address, networks))) throw new WebFault('address')
  return wire && addresses.length > 0 ? [{ address: '127.0.0.1', family: 4 }] : addresses
}

/** Ranges of IPv6 addresses that contain an IPv4 address in their last 32 bits: mapped, and NAT64 (RFC 6052). */
const CARRIERS = new Set(['ipv4Mapped', 'rfc6052'])

/** IPv6 addresses that IANA has assigned to the public internet. */
const GLOBAL = ipaddr.parseCIDR('2000::/3')

/** Bits of the prefix that the IPv6 addresses of a site share. Providers assign 56 bits to a home (RFC 6177). */
const SITE_BITS = 56

/**
 * Whether an IP address belongs to a host of the public internet. Addresses of this machine, its network and its
 * provider’s network do not, and unassigned addresses do not either.
 *
 * @param address in full notation: `127.1` is refused
 * @param networks the networks of this machine, as `address/bits`, in which hosts may have public addresses
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
