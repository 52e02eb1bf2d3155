import { describe, expect, it } from 'vitest'
import { splitAtMatches } from './search-matches.ts'

/** The pieces as one text, with the matches in brackets. */
const marked = (text: string, query: string) =>
  splitAtMatches(text, query)
    .map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece))
    .join('')

describe('splitAtMatches', () => {
  it.each([
    ['Beach photo.jpg', 'PHOTO', 'Beach [photo].jpg'],
    ['banana', 'an', 'b[an][an]a'],
    ['aaa', 'aa', '[aa]a'],
    ['Résumé', 'sum', 'Ré[sum]é'],
    ['Re\u0301sume\u0301', 'resume', '[Résumé]'],
    ['Straße 1', 'ss', 'Stra[ß]e 1'],
    ['Straße 1', 'se', 'Stra[ße] 1'],
    ['Ærø.txt', 'aero', '[Ærø].txt'],
    ['ﬁle', 'i', '[ﬁ]le'],
    ['İİx', 'ix', 'İ[İx]'],
    ['x\u0323\u0307y', 'x', '[x\u0323\u0307]y'],
    ['🏔️ Alps 🏔️', '🏔', '[🏔]️ Alps [🏔]️'],
    ['東京タワー', '京タ', '東[京タ]ワー'],
    ['שלום עולם', 'עולם', 'שלום [עולם]'],
    ['a.b*c', '.b*', 'a[.b*]c'],
    ['plain', '', 'plain'],
    ['plain', '  ', 'plain'],
    ['plain', 'zzz', 'plain'],
    ['', 'a', ''],
  ])('in %j by %j: %j', (text, query, expected) => {
    expect(marked(text, query)).toBe(expected.normalize('NFC'))
  })

  it('keeps the whole text', () => {
    for (const text of ['İstanbul ſ ﬃ ㎏ ½', '\u0301\u0301a', '👩‍👩‍👧 family', 'a\u0345']) {
      for (const query of ['i', 's', 'f', 'k', '1', 'a', '\u0301', 'ffi']) {
        expect(
          splitAtMatches(text, query)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text.normalize('NFC'))
      }
    }
  })
})
