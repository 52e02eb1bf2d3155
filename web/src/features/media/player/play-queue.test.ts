import { describe, expect, it } from 'vitest'
import {
  changeQueue,
  EMPTY_QUEUE,
  followLibrary,
  type PlayQueue,
  placesOf,
  type QueueChange,
  shuffle,
} from './play-queue.ts'

const queueOf = (tracks: number[], position = 0, isShuffled = false): PlayQueue => ({ tracks, position, isShuffled })
const after = (queue: PlayQueue, ...changes: QueueChange[]) => changes.reduce(changeQueue, queue)

describe('next and previous', () => {
  it('move by one, and wrap around at the ends', () => {
    expect(after(queueOf([4, 2, 7], 0), { type: 'next' }).position).toBe(1)
    expect(after(queueOf([4, 2, 7], 2), { type: 'next' }).position).toBe(0)
    expect(after(queueOf([4, 2, 7], 1), { type: 'previous' }).position).toBe(0)
    expect(after(queueOf([4, 2, 7], 0), { type: 'previous' }).position).toBe(2)
  })

  it('stay at the only track, and in an empty queue', () => {
    for (const type of ['next', 'previous'] as const) {
      expect(after(queueOf([3]), { type }).position).toBe(0)
      expect(after(EMPTY_QUEUE, { type })).toEqual(EMPTY_QUEUE)
    }
  })
})

describe('shuffle', () => {
  it('plays the drawn order from its start when it is turned on', () => {
    const queue = after(queueOf([1, 5, 9], 2), { type: 'shuffle on', order: [9, 1, 5] })
    expect(queue).toEqual(queueOf([9, 1, 5], 0, true))
  })

  it('restores the order of the library, from its start, when it is turned off', () => {
    expect(after(queueOf([9, 1, 5], 2, true), { type: 'shuffle off' })).toEqual(queueOf([1, 5, 9], 0))
  })

  it('draws each order of three about as often', () => {
    const drawn = new Map<string, number>()
    for (let times = 0; times < 6000; times++) {
      const order = shuffle([0, 1, 2]).join('')
      drawn.set(order, (drawn.get(order) ?? 0) + 1)
    }
    expect(drawn.size).toBe(6)
    for (const times of drawn.values()) expect(times).toBeGreaterThan(800)
  })

  it('keeps every track', () => {
    expect(shuffle([3, 1, 2], () => 0.999)).toEqual([3, 1, 2])
    expect(shuffle([3, 1, 2], () => 0).toSorted()).toEqual([1, 2, 3])
  })
})

describe('removing', () => {
  it('is not possible for the current track, nor for a position without a track', () => {
    const queue = queueOf([4, 2, 7], 1)
    for (const position of [1, 3, -1]) expect(after(queue, { type: 'remove', position })).toBe(queue)
  })

  it('moves the position down for an earlier track, and keeps it for a later one', () => {
    expect(after(queueOf([4, 2, 7], 1), { type: 'remove', position: 0 })).toEqual(queueOf([2, 7], 0))
    expect(after(queueOf([4, 2, 7], 1), { type: 'remove', position: 2 })).toEqual(queueOf([4, 2], 1))
  })
})

describe('moving', () => {
  it('keeps the position with the current track, whatever is moved across it', () => {
    const queue = queueOf([10, 11, 12, 13, 14], 2)
    for (let from = 0; from < 5; from++) {
      for (let to = 0; to < 5; to++) {
        const moved = after(queue, { type: 'move', from, to })
        expect(moved.tracks[moved.position]).toBe(12)
        expect(moved.tracks[to]).toBe(10 + from)
        expect(moved.tracks.toSorted()).toEqual([10, 11, 12, 13, 14])
      }
    }
  })

  it('changes nothing for a position without a track', () => {
    const queue = queueOf([1, 2], 0)
    expect(after(queue, { type: 'move', from: 0, to: 2 })).toBe(queue)
    expect(after(queue, { type: 'move', from: 5, to: 0 })).toBe(queue)
  })
})

describe('filling', () => {
  it('adds a track at the end, once', () => {
    const queue = after(queueOf([1], 0), { type: 'add', track: 5 }, { type: 'add', track: 5 })
    expect(queue).toEqual(queueOf([1, 5], 0))
  })

  it('replaces the queue by a playlist, from its start', () => {
    expect(after(queueOf([1, 2], 1, true), { type: 'replace', tracks: [7, 3] })).toEqual(queueOf([7, 3], 0))
  })

  it('jumps to a track that exists', () => {
    expect(after(queueOf([1, 2]), { type: 'jump', position: 1 }).position).toBe(1)
    expect(after(queueOf([1, 2]), { type: 'jump', position: 2 }).position).toBe(0)
  })
})

const libraryOf = (ids: string) => [...ids].map((id) => ({ id }))

describe('a library that changes', () => {
  it('keeps the queue and the current track', () => {
    const queue = { tracks: [2, 0, 1], position: 1, isShuffled: true }
    const after = followLibrary(queue, libraryOf('abc'), libraryOf('xaybzc'))
    expect(after).toEqual({ tracks: [5, 1, 3], position: 1, isShuffled: true })
  })

  it('removes tracks that are gone before, at and behind the current track', () => {
    const queue = { tracks: [0, 1, 2, 3], position: 2, isShuffled: false }
    expect(followLibrary(queue, libraryOf('abcd'), libraryOf('bcd'))).toMatchObject({ tracks: [0, 1, 2], position: 1 })
    expect(followLibrary(queue, libraryOf('abcd'), libraryOf('abd'))).toMatchObject({ tracks: [0, 1, 2], position: 2 })
    expect(followLibrary(queue, libraryOf('abcd'), libraryOf('ab'))).toMatchObject({ tracks: [0, 1], position: 0 })
    expect(followLibrary(queue, libraryOf('abcd'), [])).toMatchObject({ tracks: [], position: 0 })
  })

  it('finds the tracks of a playlist, skipping those that are gone', () => {
    expect(placesOf(['c', 'gone', 'a', 'c'], libraryOf('abc'))).toEqual([2, 0, 2])
  })
})
