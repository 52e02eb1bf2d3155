import { describe, expect, it } from 'vitest'
import { findNextResult } from './search-keys.ts'

const results = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
const next = (activeId: string | undefined, key: string) => findNextResult(results, activeId, key)?.id

describe('the keys in a list of results', () => {
  it('go around with the arrows', () => {
    expect(['a', 'b', 'c', undefined].map((id) => next(id, 'ArrowDown'))).toEqual(['b', 'c', 'a', 'a'])
    expect(['a', 'b', 'c', undefined].map((id) => next(id, 'ArrowUp'))).toEqual(['c', 'a', 'b', 'c'])
  })

  it('go to the ends only when a result is chosen', () => {
    expect([next('b', 'Home'), next('b', 'End')]).toEqual(['a', 'c'])
    expect([next(undefined, 'Home'), next(undefined, 'End')]).toEqual([undefined, undefined])
  })

  it('are not taken from the text otherwise', () => {
    expect(next('b', 'ArrowLeft')).toBeUndefined()
    for (const key of ['ArrowDown', 'ArrowUp', 'Home', 'End'])
      expect(findNextResult([], undefined, key)).toBeUndefined()
  })
})
