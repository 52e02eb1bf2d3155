import { describe, expect, it } from 'vitest'
import { callerOf, clientNetwork, siteOf } from './client-address.ts'

describe('clientNetwork', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3::/48'],
    ['2001:0DB8:85A3::7348', '2001:db8:85a3::/48'],
    ['2001::1:2:3:4:5:6', '2001:0:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['::1', '0:0:0::/48'],
    ['not an address', 'not an address'],
  ])('returns the network of %s', (ip, network) => {
    expect(clientNetwork(ip)).toBe(network)
  })
})

describe('callerOf', () => {
  it.each([
    ['203.0.113.77', '203.0.113.77'],
    ['::ffff:203.0.113.77', '203.0.113.77'],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3:8d3::/64'],
    ['2001:0DB8:85A3:08D3::1', '2001:db8:85a3:8d3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
    ['not an address', 'not an address'],
  ])('returns the key of the caller %s', (ip, caller) => {
    expect(callerOf(ip)).toBe(caller)
  })
})

describe('siteOf', () => {
  it.each([
    ['203.0.113.77', undefined],
    ['::ffff:203.0.113.77', undefined],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3::/48'],
    ['not an address', undefined],
  ])('returns the site of %s', (ip, site) => {
    expect(siteOf(ip)).toBe(site)
  })
})
