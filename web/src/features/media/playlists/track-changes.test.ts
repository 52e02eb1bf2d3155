import { expect, it } from 'vitest'
import { addition, movement, removal } from './track-changes.ts'

it('removes only the chosen track from a list that has grown', () => {
  expect(removal(['a', 'b'], 0)(['a', 'b', 'c'])).toEqual(['b', 'c'])
  expect(removal(['a', 'b', 'a'], 2)(['x', 'a', 'b', 'a'])).toEqual(['x', 'a', 'b'])
})

it('changes nothing if the chosen track is gone', () => {
  expect(removal(['a', 'b'], 0)(['b', 'c'])).toEqual(['b', 'c'])
  expect(movement(['a', 'b'], 0, 1)(['b', 'c'])).toEqual(['b', 'c'])
})

it('moves a track behind the one that it follows for the user', () => {
  expect(movement(['a', 'b', 'c'], 0, 1)(['new', 'a', 'b', 'c'])).toEqual(['new', 'b', 'a', 'c'])
  expect(movement(['a', 'b', 'c'], 2, 0)(['a', 'b', 'c', 'new'])).toEqual(['c', 'a', 'b', 'new'])
  // The track in front of it is gone, so it follows the one before that.
  expect(movement(['a', 'b', 'c'], 0, 2)(['a', 'b', 'new'])).toEqual(['b', 'a', 'new'])
})

it('adds a track once', () => {
  expect(addition('c')(['a'])).toEqual(['a', 'c'])
  expect(addition('a')(['a', 'b'])).toEqual(['a', 'b'])
})
