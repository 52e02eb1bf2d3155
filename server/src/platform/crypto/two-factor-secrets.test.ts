import { RECOVERY_CODES } from '@alcove/contract/limits'
import { describe, expect, it } from 'vitest'
import { createRecoveryCodes, hashRecoveryCode } from './one-time-token.ts'
import { openText, sealText } from './secrets.ts'
import { createTotpSecret, findTotpStep, totpUri } from './totp.ts'

const key = new Uint8Array(32).fill(7)

describe('sealed texts', () => {
  it('decrypts with the same key and purpose, and encrypts differently each time', () => {
    const sealed = sealText(key, 'a secret, ä', 'user 1')
    expect(openText(key, sealed, 'user 1')).toBe('a secret, ä')
    expect(sealed).not.toContain('secret')
    expect(sealText(key, 'a secret, ä', 'user 1')).not.toBe(sealed)
  })

  it('throws for another key, another purpose or a changed text', () => {
    const sealed = sealText(key, 'a secret', 'user 1')
    expect(() => openText(new Uint8Array(32).fill(8), sealed, 'user 1')).toThrow()
    expect(() => openText(key, sealed, 'user 2')).toThrow()
    for (let index = 0; index < sealed.length - 1; index++) {
      const changed = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1)
      expect(() => openText(key, changed, 'user 1')).toThrow()
    }
    expect(() => openText(key, '', 'user 1')).toThrow()
  })
})

describe('codes of an authenticator app', () => {
  // RFC 6238, appendix B, as the last six digits.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('accepts the code of RFC 6238 at %d seconds', (seconds, code) => {
    expect(findTotpStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
  })

  it('accepts a code one step early or late, and no further', () => {
    const at = 1_111_111_111_000
    const step = Math.floor(at / 30_000)
    expect(findTotpStep(secret, '050471', at - 30_000)).toBe(step)
    expect(findTotpStep(secret, '050471', at + 30_000)).toBe(step)
    expect(findTotpStep(secret, '050471', at - 60_000)).toBeUndefined()
    expect(findTotpStep(secret, '050471', at + 60_000)).toBeUndefined()
    for (const code of ['', '05047', '0504711', 'abcdef']) expect(findTotpStep(secret, code, at)).toBeUndefined()
  })

  it('creates a secret of 160 bits and the URI that passes it to the app', () => {
    const made = createTotpSecret()
    expect(made).toMatch(/^[A-Z2-7]{32}$/)
    expect(createTotpSecret()).not.toBe(made)
    const uri = new URL(totpUri(made, 'ada@example.com', 'Alcove'))
    expect(uri.protocol).toBe('otpauth:')
    expect(decodeURIComponent(uri.pathname)).toBe('/Alcove:ada@example.com')
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      issuer: 'Alcove',
      secret: made,
      digits: '6',
      period: '30',
    })
  })
})

describe('recovery codes', () => {
  it('creates ten different codes whose hash ignores dashes', () => {
    const codes = createRecoveryCodes()
    expect(new Set(codes).size).toBe(RECOVERY_CODES)
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){2}$/)
    const [code = ''] = codes
    expect(hashRecoveryCode(key, code)).toBe(hashRecoveryCode(key, code.replaceAll('-', '')))
    expect(hashRecoveryCode(key, code)).not.toBe(hashRecoveryCode(new Uint8Array(32), code))
  })
})
