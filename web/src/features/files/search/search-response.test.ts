import type { SearchResult } from '@alcove/contract/search'
import { describe, expect, it } from 'vitest'
import { narrowResponse } from './search-response.ts'

const result = (name: string): SearchResult => ({ id: name, name, type: 'file', path: `/${name}`, folder_id: null })
const namesOf = (names: string[], from: string, text: string) =>
  narrowResponse({ text: from, results: names.map(result) }, text)?.map(({ name }) => name)

describe('an earlier answer', () => {
  it('tells what a longer text finds, the best first', () => {
    expect(namesOf(['su', 'sun', 'Sunset', 'a sunset', 'sum'], 'su', 'SUNSET')).toEqual(['Sunset', 'a sunset'])
    expect(namesOf(['résumé.pdf', 'resort'], 'res', 'resu')).toEqual(['résumé.pdf'])
    expect(namesOf(['su'], 'su', 'suz')).toEqual([])
  })

  it('tells nothing about another text, nor when it was not all', () => {
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
