import { describe, expect, it } from 'vitest'
import { followLibrary, placesOf } from './follow-library.ts'

const libraryOf = (ids: string) => [...ids].map((id) => ({ id }))

describe('a library that changes', () => {
  it('leaves the queue and what is played as they were', () => {
    const queue = { tracks: [2, 0, 1], position: 1, isShuffled: true }
    const after = followLibrary(queue, libraryOf('abc'), libraryOf('xaybzc'))
    expect(after).toEqual({ tracks: [5, 1, 3], position: 1, isShuffled: true })
  })

  it('takes out of the queue what is gone, before, at and behind the current track', () => {
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
