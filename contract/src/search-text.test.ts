import { describe, expect, it } from 'vitest'
import { foldForSearch } from './search-text.ts'

describe('foldForSearch', () => {
  it.each([
    ['IMG_2024.JPG', 'img_2024.jpg'],
    ['Résumé', 'resume'],
    ['Re\u0301sume\u0301', 'resume'],
    ['Straße', 'strasse'],
    ['ŁÓDŹ', 'lodz'],
    ['İstanbul ı', 'istanbul i'],
    ['ΟΔΟΣ οδος', 'οδοσ οδοσ'],
    ['Ёлка Й', 'елка и'],
    ['ａｂｃ ﬁn', 'abc fin'],
    ['東京 がぎ', '東京 がぎ'],
    ['한국어', '한국어'],
    ['𝐁old 🏔️', 'bold 🏔️'],
    ['שלום', 'שלום'],
    ['', ''],
  ])('folds %j to %j', (text, folded) => {
    expect(foldForSearch(text)).toBe(folded)
  })

  it('returns folded text unchanged', () => {
    for (const text of ['Ǆ ǅ', 'ΐ', 'ẞ', 'ﬀ', 'Å', '½', '㎏', 'がき', 'ÅΩ', '\u0345']) {
      const once = foldForSearch(text)
      expect(foldForSearch(once)).toBe(once)
    }
  })
})
