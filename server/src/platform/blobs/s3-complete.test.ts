import { describe, expect, it } from 'vitest'
import { isPart, planParts } from './s3-complete.ts'

const MIB = 1024 * 1024
const part = (size: number) => ({ size, etag: `"${size}"` })
const piece = (size: number) => ({ size, etag: undefined })

describe('planning the parts of a blob', () => {
  it('keeps chunks that are parts already', () => {
    expect(planParts([part(5 * MIB), part(5 * MIB), piece(3)])).toEqual([
      { number: 1, etag: `"${5 * MIB}"` },
      { number: 2, etag: `"${5 * MIB}"` },
      { number: 3, first: 2, end: 3, size: 3 },
    ])
  })

  it('gathers small chunks into parts of 16 MiB', () => {
    const chunks = Array.from({ length: 40 }, () => piece(MIB))
    expect(planParts(chunks)).toEqual([
      { number: 1, first: 0, end: 16, size: 16 * MIB },
      { number: 17, first: 16, end: 32, size: 16 * MIB },
      { number: 33, first: 32, end: 40, size: 8 * MIB },
    ])
  })

  it('makes no part below the minimum size before an existing part', () => {
    const chunks = [...Array.from({ length: 18 }, () => piece(MIB)), part(60 * MIB)]
    expect(planParts(chunks)).toEqual([
      { number: 1, first: 0, end: 18, size: 18 * MIB },
      { number: 19, etag: `"${60 * MIB}"` },
    ])
  })

  it('leaves out an empty last chunk and makes one part of an empty blob', () => {
    expect(planParts([part(5 * MIB), piece(0)])).toHaveLength(1)
    expect(planParts([piece(MIB), piece(0)])).toEqual([{ number: 1, first: 0, end: 1, size: MIB }])
    expect(planParts([piece(0)])).toEqual([{ number: 1, first: 0, end: 1, size: 0 }])
  })

  it.each([
    [0, 5 * MIB, true],
    [0, 5 * MIB - 1, false],
    [5 * MIB, 5 * MIB, true],
    [1024, 64 * MIB, false],
    [undefined, 64 * MIB, false],
  ])('decides whether a chunk at offset %s of %s bytes is sent as a part: %s', (offset, size, expected) => {
    expect(isPart(offset, size)).toBe(expected)
  })
})
