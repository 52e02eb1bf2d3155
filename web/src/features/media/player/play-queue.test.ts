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
  it('moves by one track and wraps around at the ends of the queue', () => {
    expect(after(queueOf([4, 2, 7], 0), { type: 'next' }).position).toBe(1)
    expect(after(queueOf([4, 2, 7], 2), { type: 'next' }).position).toBe(0)
    expect(after(queueOf([4, 2, 7], 1), { type: 'previous' }).position).toBe(0)
    expect(after(queueOf([4, 2, 7], 0), { type: 'previous' }).position).toBe(2)
  })

  it('stays at the only track and changes nothing in an empty queue', () => {
    for (const type of ['next', 'previous'] as const) {
      expect(after(queueOf([3]), { type }).position).toBe(0)
      expect(after(EMPTY_QUEUE, { type })).toEqual(EMPTY_QUEUE)
    }
  })
})

describe('shuffle', () => {
  it('plays the drawn order from its start when shuffle is turned on', () => {
    const queue = after(queueOf([1, 5, 9], 2), { type: 'shuffle on', order: [9, 1, 5] })
    expect(queue).toEqual(queueOf([9, 1, 5], 0, true))
  })

  it('restores the order of the library from its start when shuffle is turned off', () => {
    expect(after(queueOf([9, 1, 5], 2, true), { type: 'shuffle off' })).toEqual(queueOf([1, 5, 9], 0))
  })

  it('draws each order of three tracks about equally often', () => {
    const drawn = new Map<string, number>()
    for (let times = 0; times < 6000; times++) {
      const order = shuffle([0, 1, 2]).join('')
      drawn.set(order, (drawn.get(order) ?? 0) + 1)
    }
    expect(drawn.size).toBe(6)
    for (const times of drawn.values()) expect(times).toBeGreaterThan(800)
  })

  it('keeps every track of a shuffled queue', () => {
    expect(shuffle([3, 1, 2], () => 0.999)).toEqual([3, 1, 2])
    expect(shuffle([3, 1, 2], () => 0).toSorted()).toEqual([1, 2, 3])
  })
})

describe('removing a track', () => {
  it('ignores the current track and a position without a track', () => {
    const queue = queueOf([4, 2, 7], 1)
    for (const position of [1, 3, -1]) expect(after(queue, { type: 'remove', position })).toBe(queue)
  })

  it('lowers the position for an earlier track and keeps it for a later one', () => {
    expect(after(queueOf([4, 2, 7], 1), { type: 'remove', position: 0 })).toEqual(queueOf([2, 7], 0))
    expect(after(queueOf([4, 2, 7], 1), { type: 'remove', position: 2 })).toEqual(queueOf([4, 2], 1))
  })
})

describe('moving a track', () => {
  it('keeps the current track when any track is moved across it', () => {
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

  it('ignores a move from or to a position without a track', () => {
    const queue = queueOf([1, 2], 0)
    expect(after(queue, { type: 'move', from: 0, to: 2 })).toBe(queue)
    expect(after(queue, { type: 'move', from: 5, to: 0 })).toBe(queue)
  })
})

describe('filling the queue', () => {
  it('adds a track only once, at the end', () => {
    const queue = after(queueOf([1], 0), { type: 'add', track: 5 }, { type: 'add', track: 5 })
    expect(queue).toEqual(queueOf([1, 5], 0))
  })

  it('replaces the queue with a playlist and starts at its first track', () => {
    expect(after(queueOf([1, 2], 1, true), { type: 'replace', tracks: [7, 3] })).toEqual(queueOf([7, 3], 0))
  })

  it('jumps to a track and ignores a position without a track', () => {
    expect(after(queueOf([1, 2]), { type: 'jump', position: 1 }).position).toBe(1)
    expect(after(queueOf([1, 2]), { type: 'jump', position: 2 }).position).toBe(0)
  })
})

const libraryOf = (ids: string) => [...ids].map((id) => ({ id }))

describe('following a changed library', () => {
  it('keeps the queue and the current track when tracks are added', () => {
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
