import { describe, expect, it } from 'vitest'
import { assertIntact, digestBytes, parseChecksums } from './checksums.ts'

const { sha256, sha1, md5 } = digestBytes(Buffer.from('abc'))

describe('parsing OC-Checksum', () => {
  it('reads each kind in any case and returns lower-case digests', () => {
    expect(parseChecksums(`SHA1:${sha1}`)).toEqual({ sha1 })
    expect(parseChecksums(`md5:${md5.toUpperCase()}`)).toEqual({ md5 })
    expect(parseChecksums(` SHA-256:${sha256} `)).toEqual({ sha256 })
    expect(parseChecksums(`SHA1:${sha1} MD5:${md5}`)).toEqual({ sha1, md5 })
  })

  it('ignores other kinds, and returns nothing without a header', () => {
    expect(parseChecksums(undefined)).toEqual({})
    expect(parseChecksums('')).toEqual({})
    expect(parseChecksums(`Adler32:12345678 MD5:${md5}`)).toEqual({ md5 })
    expect(parseChecksums('constructor:x __proto__:y')).toEqual({})
  })

  it.each(['abc', `SHA1:${md5}`, 'MD5:', `MD5:${md5}0`, `SHA1:${'g'.repeat(40)}`])('rejects %j', (header) => {
    expect(() => parseChecksums(header)).toThrow(/hexadecimal/)
  })
})

it('accepts bytes only if all announced digests are theirs', () => {
  const digests = { sha256, sha1, md5 }
  assertIntact({}, digests)
  assertIntact({ sha1, md5 }, digests)
  expect(() => assertIntact({ sha1, md5: 'f'.repeat(32) }, digests)).toThrow(/Send the file again/)
})
