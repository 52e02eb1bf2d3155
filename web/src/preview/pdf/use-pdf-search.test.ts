import { expect, it } from 'vitest'
import { findMatches } from './use-pdf-search.ts'

const found = (text: string, query: string) => findMatches(text, query).map(({ start, end }) => text.slice(start, end))

it('ignores case and accents in the text and the query', () => {
  expect(found('Éclair, eclair, ECLAIR', 'éClair')).toEqual(['Éclair', 'eclair', 'ECLAIR'])
})

it('finds words across a line break', () => {
  expect(found('the quiet\n  room', ' quiet room ')).toEqual(['quiet\n  room'])
})

it('finds special characters literally', () => {
  expect(found('a.b axb (a.b)', 'a.b')).toEqual(['a.b', 'a.b'])
})

it('returns correct positions after letters whose lower case has another length', () => {
  expect(found('İİİ needle ẞ needle', 'needle')).toEqual(['needle', 'needle'])
})

it('finds nothing for an empty query and at most the given number of matches', () => {
  expect(found('abc', '  ')).toEqual([])
  expect(findMatches('aaaa', 'a', 3)).toHaveLength(3)
})
