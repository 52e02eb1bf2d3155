import { describe, expect, it } from 'vitest'
import { changeQueue, EMPTY_QUEUE, type PlayQueue, type QueueChange, shuffle } from './play-queue.ts'

const queueOf = (tracks: number[], position = 0, isShuffled = false): PlayQueue => ({ tracks, position, isShuffled })
const after = (queue: PlayQueue, ...changes: QueueChange[]) => changes.reduce(changeQueue, queue)

describe('next and previous', () => {
  it('go one on, and wrap around at the ends', () => {
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
  it('on gives the queue in the drawn order, from its start', () => {
    const queue = after(queueOf([1, 5, 9], 2), { type: 'shuffle on', order: [9, 1, 5] })
    expect(queue).toEqual(queueOf([9, 1, 5], 0, true))
  })

  it('off gives the order of the library again, from its start', () => {
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

  it('keeps every track, also the one drawn last', () => {
    expect(shuffle([3, 1, 2], () => 0.999)).toEqual([3, 1, 2])
    expect(shuffle([3, 1, 2], () => 0).toSorted()).toEqual([1, 2, 3])
  })
})

describe('removing', () => {
  it('is not possible for the current track, nor for what is not there', () => {
    const queue = queueOf([4, 2, 7], 1)
    for (const position of [1, 3, -1]) expect(after(queue, { type: 'remove', position })).toBe(queue)
  })

  it('of an earlier track moves the position down, of a later one it stays', () => {
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

  it('to nowhere changes nothing', () => {
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

  it('with a playlist replaces what was there, from its start', () => {
    expect(after(queueOf([1, 2], 1, true), { type: 'replace', tracks: [7, 3] })).toEqual(queueOf([7, 3], 0))
  })

  it('jumps to a track that is there', () => {
    expect(after(queueOf([1, 2]), { type: 'jump', position: 1 }).position).toBe(1)
    expect(after(queueOf([1, 2]), { type: 'jump', position: 2 }).position).toBe(0)
  })
})
