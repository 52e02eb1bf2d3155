import { describe, expect, it } from 'vitest'
import { ngramsOfName, ngramsOfText } from './ngrams.ts'

/** Whether a name has all the grams that are looked up for a text. */
function leadsTo(name: string, text: string, which: 'inside' | 'start' | 'whole'): boolean {
  const ngrams = ngramsOfName(name)
  const { inside, start, end } = ngramsOfText(text)
  const wanted = [...inside, ...(which === 'inside' ? [] : [start]), ...(which === 'whole' ? [end] : [])]
  return wanted.every((ngram) => ngrams.has(ngram))
}

describe('the grams of a text', () => {
  it('are had by every name that contains it, begins with it, is it', () => {
    const names = [
      'a',
      'ab',
      'abc',
      'img_2024.jpg',
      'aaaaaaaab',
      '東京',
      '東京タワー',
      '🏔️🏔️',
      `"x" 100%_*`,
      'x'.repeat(40),
    ]
    for (const name of names) {
      const characters = [...name]
      for (let from = 0; from < characters.length; from += 1) {
        for (let to = from + 1; to <= characters.length; to += 1) {
          const text = characters.slice(from, to).join('')
          expect(leadsTo(name, text, 'inside'), `${name}: ${text}`).toBe(true)
          if (from === 0) expect(leadsTo(name, text, 'start'), `${name}: ${text}`).toBe(true)
        }
      }
      expect(leadsTo(name, name, 'whole')).toBe(true)
    }
  })

  it('are not had by names without it, as far as short texts go', () => {
    expect(leadsTo('abc', 'd', 'inside')).toBe(false)
    expect(leadsTo('abc', 'ac', 'inside')).toBe(false)
    expect(leadsTo('abc', 'b', 'start')).toBe(false)
    expect(leadsTo('abc', 'bc', 'start')).toBe(false)
    expect(leadsTo('abc', 'ab', 'whole')).toBe(false)
    expect(leadsTo('abcd', 'abc', 'whole')).toBe(false)
  })

  it('are few however long the text', () => {
    const { inside } = ngramsOfText(
      Array.from({ length: 400 }, (_one, index) => String.fromCodePoint(0x4e00 + index)).join(''),
    )
    expect(inside).toHaveLength(5)
    expect(ngramsOfText('a'.repeat(400)).inside).toEqual(['aaa'])
  })
})
