import ipaddr from 'ipaddr.js'

/** Prefixes that carry an IPv4 address in their last 32 bits: mapped, and NAT64 (RFC 6052). */
const CARRIERS = new Set(['ipv4Mapped', 'rfc6052'])

/** What IANA has given out to the whole world so far. */
const GLOBAL = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an IP address belongs to a host of the public internet: not to this machine, its network, its provider's, or
 * to nobody.
 *
 * @param address as it is written in full: `127.1` is none
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain) || (plain.includes('.') && !plain.includes(':') && !FOUR_PARTS.test(plain))) return false
  const parsed = ipaddr.parse(plain)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast'
  if (CARRIERS.has(parsed.range())) {
    return new ipaddr.IPv4(parsed.toByteArray().slice(12)).range() === 'unicast'
  }
  return parsed.range() === 'unicast' && parsed.match(GLOBAL as [ipaddr.IPv6, number])
}

const FOUR_PARTS = /^\d{1,3}(\.\d{1,3}){3}$/
