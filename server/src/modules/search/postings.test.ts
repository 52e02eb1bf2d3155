import { describe, expect, it } from 'vitest'
import { everyPlace, isEmpty, keepStored, leaveOut, listPlaces, packPostings, SEGMENT_SIZE } from './postings.ts'

const upTo = (end: number, step = 1) => Array.from({ length: Math.ceil(end / step) }, (_one, index) => index * step)
const read = (stored: Uint8Array) => {
  const set = everyPlace()
  keepStored(set, stored)
  return set
}

describe('postings', () => {
  it.each(
    [
      [0],
      [SEGMENT_SIZE - 1],
      [0, 31, 32, 63, 8191],
      upTo(511),
      upTo(512),
      upTo(SEGMENT_SIZE),
      upTo(SEGMENT_SIZE, 3),
    ].map((places) => [places]),
  )('unpacks the packed positions in descending order (%#)', (places) => {
    const packed = packPostings(places)
    expect(packed.length).toBeLessThanOrEqual(SEGMENT_SIZE / 8)
    expect(listPlaces(read(packed))).toEqual(places.toReversed())
  })

  it('unpacks bytes that are not aligned in memory', () => {
    const packed = packPostings([1, 500])
    const shifted = new Uint8Array(packed.length + 1).subarray(1)
    shifted.set(packed)
    expect(listPlaces(read(shifted))).toEqual([500, 1])
  })

  it('intersects and subtracts sets of positions', () => {
    const set = read(packPostings([1, 2, 3, 8000]))
    keepStored(set, packPostings([2, 3, 4]))
    expect(listPlaces(set)).toEqual([3, 2])
    expect(listPlaces(leaveOut(set, read(packPostings([3]))))).toEqual([2])
    keepStored(set, packPostings([7]))
    expect(isEmpty(set)).toBe(true)
  })
})
