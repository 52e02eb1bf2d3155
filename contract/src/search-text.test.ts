import { describe, expect, it } from 'vitest'
import { foldForSearch } from './search-text.ts'

describe('text folded for searches', () => {
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
  ])('%j is %j', (text, folded) => {
    expect(foldForSearch(text)).toBe(folded)
  })

  it('folds what is folded to itself', () => {
    for (const text of ['Ǆ ǅ', 'ΐ', 'ẞ', 'ﬀ', 'Å', '½', '㎏', 'がき', 'ÅΩ', '\u0345']) {
      const once = foldForSearch(text)
      expect(foldForSearch(once)).toBe(once)
    }
  })
})
