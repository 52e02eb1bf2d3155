import type { SearchResult } from '@alcove/contract/search'
import { describe, expect, it } from 'vitest'
import { findNextResult, narrowResponse } from './result-list.ts'

const result = (name: string): SearchResult => ({ id: name, name, type: 'file', path: `/${name}`, folder_id: null })
const namesOf = (names: string[], from: string, text: string) =>
  narrowResponse({ text: from, results: names.map(result) }, text)?.map(({ name }) => name)

describe('an earlier response', () => {
  it('has the results of a longer text, the best first', () => {
    expect(namesOf(['su', 'sun', 'Sunset', 'a sunset', 'sum'], 'su', 'SUNSET')).toEqual(['Sunset', 'a sunset'])
    expect(namesOf(['résumé.pdf', 'resort'], 'res', 'resu')).toEqual(['résumé.pdf'])
    expect(namesOf(['su'], 'su', 'suz')).toEqual([])
  })

  it('has no results for another text, and none if it was incomplete', () => {
    expect(namesOf(['sun'], 'sun', 'su')).toBeUndefined()
    expect(namesOf(['sun'], 'sun', 'moon')).toBeUndefined()
    expect(
      namesOf(
        Array.from({ length: 200 }, (_one, index) => `su${index}`),
        'su',
        'su1',
      ),
    ).toBeUndefined()
    expect(narrowResponse(undefined, 'a')).toBeUndefined()
  })
})

const results = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
const next = (activeId: string | undefined, key: string) => findNextResult(results, activeId, key)?.id

describe('the keys in a list of results', () => {
  it('wrap around with the arrows', () => {
    expect(['a', 'b', 'c', undefined].map((id) => next(id, 'ArrowDown'))).toEqual(['b', 'c', 'a', 'a'])
    expect(['a', 'b', 'c', undefined].map((id) => next(id, 'ArrowUp'))).toEqual(['c', 'a', 'b', 'c'])
  })

  it('go to the ends only if a result is active', () => {
    expect([next('b', 'Home'), next('b', 'End')]).toEqual(['a', 'c'])
    expect([next(undefined, 'Home'), next(undefined, 'End')]).toEqual([undefined, undefined])
  })

  it('are left to the text otherwise', () => {
    expect(next('b', 'ArrowLeft')).toBeUndefined()
    for (const key of ['ArrowDown', 'ArrowUp', 'Home', 'End'])
      expect(findNextResult([], undefined, key)).toBeUndefined()
  })
})
