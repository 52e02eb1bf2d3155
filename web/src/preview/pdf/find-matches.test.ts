import { expect, it } from 'vitest'
import { findMatches } from './find-matches.ts'

const found = (text: string, query: string) => findMatches(text, query).map(({ start, end }) => text.slice(start, end))

it('finds whatever the case and the accents', () => {
  expect(found('Éclair, eclair, ECLAIR', 'éClair')).toEqual(['Éclair', 'eclair', 'ECLAIR'])
})

it('finds words across the end of a line', () => {
  expect(found('the quiet\n  room', ' quiet room ')).toEqual(['quiet\n  room'])
})

it('takes signs as they are', () => {
  expect(found('a.b axb (a.b)', 'a.b')).toEqual(['a.b', 'a.b'])
})

it('keeps its place behind letters that change their length', () => {
  expect(found('İİİ needle ẞ needle', 'needle')).toEqual(['needle', 'needle'])
})

it('finds nothing for nothing, and no more than asked for', () => {
  expect(found('abc', '  ')).toEqual([])
  expect(findMatches('aaaa', 'a', 3)).toHaveLength(3)
})
