import { describe, expect, it } from 'vitest'
import {
  everyPlace,
  isEmpty,
  keepStored,
  leaveOut,
  listPlaces,
  MAX_NAMES,
  packPostings,
  SEGMENT_SIZE,
} from './postings.ts'

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
      [MAX_NAMES - 1],
      [0, 31, 32, 63, MAX_NAMES - 1],
      upTo(487),
      upTo(488),
      upTo(512),
      upTo(MAX_NAMES),
      upTo(MAX_NAMES, 3),
    ].map((places) => [places]),
  )('unpacks the packed positions in descending order (%#)', (places) => {
    const packed = packPostings(places, MAX_NAMES)
    // With the other columns of the row it has at most 1002 bytes, which SQLite keeps together.
    expect(packed.length).toBeLessThanOrEqual(980)
    expect(listPlaces(read(packed))).toEqual(places.toReversed())
  })

  it('packs positions in a small segment into a small bitmap', () => {
    const packed = packPostings(upTo(33), 33)
    expect(packed.length).toBe(9)
    expect(listPlaces(read(packed))).toEqual(upTo(33).toReversed())
  })

  it('unpacks bitmaps of earlier versions, which had 8192 bits', () => {
    const words = new Uint32Array(SEGMENT_SIZE / 32)
    words[0] = 0b101
    words[255] = 2 ** 31
    expect(listPlaces(read(new Uint8Array(words.buffer)))).toEqual([8191, 2, 0])
  })

  it('unpacks bytes that are not aligned in memory', () => {
    const packed = packPostings([1, 500], MAX_NAMES)
    const shifted = new Uint8Array(packed.length + 1).subarray(1)
    shifted.set(packed)
    expect(listPlaces(read(shifted))).toEqual([500, 1])
  })

  it('intersects and subtracts sets of positions', () => {
    const set = read(packPostings([1, 2, 3, 7800], MAX_NAMES))
    keepStored(set, packPostings([2, 3, 4], MAX_NAMES))
    expect(listPlaces(set)).toEqual([3, 2])
    expect(listPlaces(leaveOut(set, read(packPostings([3], MAX_NAMES))))).toEqual([2])
    keepStored(set, packPostings([7], MAX_NAMES))
    expect(isEmpty(set)).toBe(true)
  })
})
