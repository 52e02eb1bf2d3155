import { expect, test } from 'vitest'
import { favoritesAddress, pathFromFavorite } from './favorite-path.ts'

const path = [
  { id: 'a', name: 'Photos' },
  { id: 'b', name: '2024' },
  { id: 'c', name: 'Lisbon' },
]

test('the way to a folder starts at the topmost favorite', () => {
  expect(pathFromFavorite(path, [{ id: 'b' }, { id: 'c' }])).toEqual(path.slice(1))
  expect(pathFromFavorite(path, [{ id: 'a' }])).toEqual(path)
})

test('a folder outside all favorites is one step from them', () => {
  expect(pathFromFavorite(path, [{ id: 'x' }])).toEqual([])
  expect(pathFromFavorite([], [{ id: 'a' }])).toEqual([])
})

test('a folder stands in the address', () => {
  expect(favoritesAddress('a')).toBe('/favorites?folder=a')
  expect(favoritesAddress(undefined)).toBe('/favorites')
})
