import { expect, test } from 'vitest'
import { favoritesAddress, pathFromFavorite } from './queries.ts'

const path = [
  { id: 'a', name: 'Photos' },
  { id: 'b', name: '2024' },
  { id: 'c', name: 'Lisbon' },
]

test('the path of a folder starts at the topmost favorite', () => {
  expect(pathFromFavorite(path, [{ id: 'b' }, { id: 'c' }])).toEqual(path.slice(1))
  expect(pathFromFavorite(path, [{ id: 'a' }])).toEqual(path)
})

test('a folder outside all favorites has no ancestors', () => {
  expect(pathFromFavorite(path, [{ id: 'x' }])).toEqual([])
  expect(pathFromFavorite([], [{ id: 'a' }])).toEqual([])
})

test('the address contains the folder', () => {
  expect(favoritesAddress('a')).toBe('/favorites?folder=a')
  expect(favoritesAddress(undefined)).toBe('/favorites')
})
