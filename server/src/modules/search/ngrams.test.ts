import { describe, expect, it } from 'vitest'
import { ngramsOfName, ngramsOfText } from './ngrams.ts'

/** Returns whether a name has all n-grams that are looked up for a text. */
function matches(name: string, text: string, which: 'inside' | 'start' | 'whole'): boolean {
  const ngrams = ngramsOfName(name)
  const { inside, start, end } = ngramsOfText(text)
  const wanted = [...inside, ...(which === 'inside' ? [] : [start]), ...(which === 'whole' ? [end] : [])]
  return wanted.every((ngram) => ngrams.has(ngram))
}

describe('ngramsOfText', () => {
  it('finds every name that contains the text, begins with it or equals it', () => {
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
          expect(matches(name, text, 'inside'), `${name}: ${text}`).toBe(true)
          if (from === 0) expect(matches(name, text, 'start'), `${name}: ${text}`).toBe(true)
        }
      }
      expect(matches(name, name, 'whole')).toBe(true)
    }
  })

  it('excludes names that do not match a short text', () => {
    expect(matches('abc', 'd', 'inside')).toBe(false)
    expect(matches('abc', 'ac', 'inside')).toBe(false)
    expect(matches('abc', 'b', 'start')).toBe(false)
    expect(matches('abc', 'bc', 'start')).toBe(false)
    expect(matches('abc', 'ab', 'whole')).toBe(false)
    expect(matches('abcd', 'abc', 'whole')).toBe(false)
  })

  it('returns at most five n-grams, however long the text is', () => {
    const { inside } = ngramsOfText(
      Array.from({ length: 400 }, (_one, index) => String.fromCodePoint(0x4e00 + index)).join(''),
    )
    expect(inside).toHaveLength(5)
    expect(ngramsOfText('a'.repeat(400)).inside).toEqual(['aaa'])
  })
})
