import { expect, it } from 'vitest'
import { nextVideo, previousVideo } from './video-rules.ts'

it('wraps around at both ends of the list', () => {
  expect([0, 1, 2].map((index) => nextVideo(index, 3, false))).toEqual([1, 2, 0])
  expect([0, 1, 2].map((index) => previousVideo(index, 3))).toEqual([2, 0, 1])
})

it('returns the only video as its own next and previous video', () => {
  expect([nextVideo(0, 1, false), nextVideo(0, 1, true), previousVideo(0, 1)]).toEqual([0, 0, 0])
})

it('shuffle draws any other video but never the current one', () => {
  const drawn = [0, 0.34, 0.67, 0.99].map((chance) => nextVideo(2, 5, true, () => chance))
  expect(drawn).toEqual([0, 1, 3, 4])
})
