import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../config.ts'

/** Returns the network of an address, by which known devices are recognized: its first 24 bits, for IPv6 the first 48. */
export function clientNetwork(ip: string): string {
  const address = unmapped(ip)
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  return isIPv6(address) ? `${groupsOf(address).slice(0, 3).join(':')}::/48` : address
}

/**
 * Returns the key under which limits count a caller. An IPv6 user has at least 64 bits of addresses, a new one for every guess
 * (RFC 6177), so a /64 counts as one caller.
 */
export function callerOf(ip: string): string {
  const address = unmapped(ip)
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}

/**
 * Returns the /48 around an IPv6 address, which providers assign as a whole (RFC 6177): its holder has 65,536 networks of 64 bits
 * to call from. Returns undefined for IPv4, where each address is counted on its own.
 */
export function siteOf(ip: string): string | undefined {
  return isIPv6(unmapped(ip)) ? clientNetwork(ip) : undefined
}

/** Returns an address without the prefix that an IPv4 address gets when it arrives over IPv6. */
export function unmapped(ip: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
}

const GROUPS = 8

/** Returns the eight groups of an IPv6 address without leading zeros, with `::` expanded. */
function groupsOf(address: string): string[] {
  const [before = '', after] = address.replace(/%.*$/, '').split('::')
  const [first, last] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ]
  const zeros = Array.from({ length: Math.max(0, GROUPS - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16).toString(16))
}

const LOOPBACK = networks(['127.0.0.0', 8], ['::1', 128])
/** Private addresses (RFC 1918, RFC 4193). */
const PRIVATE = networks(['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16], ['fc00::', 7])

/**
 * Returns whether a request comes from this machine. It also checks the host, against DNS rebinding: a stranger's name that
 * resolves to this machine would let a stranger's page read the response. Requests through a proxy are never local.
 */
export function isLocalRequest(request: FastifyRequest): boolean {
  return isForHere(request) && !isPassedOn(request) && isIn(LOOPBACK, request.ip)
}

/**
 * Returns whether a request comes from this machine, or into a container on it through a published port, which appears as an
 * address of the container's network.
 */
export function isLocalOrPrivateRequest(request: FastifyRequest): boolean {
  return isLocalRequest(request) || (isForHere(request) && !isPassedOn(request) && isIn(PRIVATE, request.ip))
}

/** Returns whether any header that proxies add is present, whatever its value: a proxy may omit the address but add another one. */
export function isPassedOn({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => /^(x-forwarded-|x-real-|forwarded$|via$|cf-|true-client-ip$)/.test(name))
}

function isForHere({ headers: { host } }: FastifyRequest): boolean {
  const origin = `http://${host}`
  return URL.canParse(origin) && isLoopback(origin)
}

/** Returns whether an address is in a list; IPv4 addresses mapped to IPv6 count as IPv4. */
function isIn(list: BlockList, ip: string): boolean {
  return isIP(ip) !== 0 && list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}

function networks(...subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [address, bits] of subnets) list.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4')
  return list
}
