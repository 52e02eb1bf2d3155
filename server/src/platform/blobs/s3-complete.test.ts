import { describe, expect, it } from 'vitest'
import { isPart, planParts } from './s3-complete.ts'

const MIB = 1024 * 1024
const part = (size: number) => ({ size, etag: `"${size}"` })
const piece = (size: number) => ({ size, etag: undefined })

describe('the parts of a blob', () => {
  it('are its chunks where those are parts already', () => {
    expect(planParts([part(5 * MIB), part(5 * MIB), piece(3)])).toEqual([
      { number: 1, etag: `"${5 * MIB}"` },
      { number: 2, etag: `"${5 * MIB}"` },
      { number: 3, first: 2, end: 3, size: 3 },
    ])
  })

  it('gather small chunks', () => {
    const chunks = Array.from({ length: 40 }, () => piece(MIB))
    expect(planParts(chunks)).toEqual([
      { number: 1, first: 0, end: 16, size: 16 * MIB },
      { number: 17, first: 16, end: 32, size: 16 * MIB },
      { number: 33, first: 32, end: 40, size: 8 * MIB },
    ])
  })

  it('are none below the least size before one that is there', () => {
    const chunks = [...Array.from({ length: 18 }, () => piece(MIB)), part(60 * MIB)]
    expect(planParts(chunks)).toEqual([
      { number: 1, first: 0, end: 18, size: 18 * MIB },
      { number: 19, etag: `"${60 * MIB}"` },
    ])
  })

  it('leave an empty last chunk out, and are one where all is empty', () => {
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
  ])('take a chunk at %s of %s bytes at once: %s', (offset, size, expected) => {
    expect(isPart(offset, size)).toBe(expected)
  })
})
