import { isIPv4, isIPv6 } from 'node:net'

/** The part of the net that an address is in, by which its user is known again: the first 24 bits, of IPv6 the first 48. */
export function clientNetwork(ip: string): string {
  const address = unmapped(ip)
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  return isIPv6(address) ? `${groupsOf(address).slice(0, 3).join(':')}::/48` : address
}

/**
 * Whom limits count under one key. Who has IPv6 has 64 bits of addresses or more to call from, a new one for every guess
 * (RFC 6177): all of them are one caller.
 */
export function callerOf(ip: string): string {
  const address = unmapped(ip)
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}

/**
 * Returns the /48 around an IPv6 address, which providers hand out as a whole (RFC 6177): its holder has 65,536 networks
 * of 64 bits to call from. Returns undefined for IPv4, where each address is counted on its own.
 */
export function siteOf(ip: string): string | undefined {
  return isIPv6(unmapped(ip)) ? clientNetwork(ip) : undefined
}

/** Returns an address without the prefix that an IPv4 address gets when it arrives over IPv6. */
export function unmapped(ip: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
}

const GROUPS = 8

/** The groups of an IPv6 address, without leading zeros; `::` stands for as many as are missing. */
function groupsOf(address: string): string[] {
  const [before = '', after] = address.replace(/%.*$/, '').split('::')
  const [first, last] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ]
  const zeros = Array.from({ length: Math.max(0, GROUPS - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16).toString(16))
}
