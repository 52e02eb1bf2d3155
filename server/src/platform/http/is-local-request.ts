import { BlockList, isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../config.ts'

const LOOPBACK = networks(['127.0.0.0', 8], ['::1', 128])
/** Addresses that the internet does not carry (RFC 1918, RFC 4193). */
const PRIVATE = networks(['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16], ['fc00::', 7])

/**
 * Whether a request comes from this machine. The host is looked at too: a stranger's name that was made to point here would
 * let a stranger's page read what is meant for whoever sits at it. What a proxy passes on is not from here: behind one may
 * be anybody.
 */
export function isLocalRequest(request: FastifyRequest): boolean {
  return isForHere(request) && !isPassedOn(request) && isIn(LOOPBACK, request.ip)
}

/**
 * Whether a request comes from this machine, or into a container on it through a published port, which shows as an address
 * of the container's network.
 */
export function isLocalOrPrivateRequest(request: FastifyRequest): boolean {
  return isLocalRequest(request) || (isForHere(request) && !isPassedOn(request) && isIn(PRIVATE, request.ip))
}

/** Whether any of the headers is there that proxies add, whatever it says: one that forgets the address adds another. */
function isPassedOn({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => /^(x-forwarded-|x-real-|forwarded$|via$|cf-|true-client-ip$)/.test(name))
}

function isForHere({ headers: { host } }: FastifyRequest): boolean {
  const origin = `http://${host}`
  return URL.canParse(origin) && isLoopback(origin)
}

/** An IPv4 address that came over IPv6 counts as what it is. */
function isIn(list: BlockList, ip: string): boolean {
  return isIP(ip) !== 0 && list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
}

function networks(...subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [address, bits] of subnets) list.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4')
  return list
}
