import { describe, expect, it } from 'vitest'
import { numberedName, sortKey, splitExtension } from './names.ts'

describe('sortKey', () => {
  it('compares numbers by value and ignores case and accents', () => {
    const sorted = ['Ä', 'b', 'é', 'f', 'file 1', 'File 2', 'file 10', 'file 10a', 'file 123456789012', 'v1.2', 'v1.10']
    const byKey = (a: string, b: string) => (sortKey(a) < sortKey(b) ? -1 : 1)
    expect([...sorted].reverse().sort(byKey)).toEqual(sorted)
  })

  it('handles leading zeros and numbers of any length', () => {
    expect(sortKey('007')).toBe(sortKey('7'))
    expect(sortKey('9'.repeat(9)) < sortKey(`1${'0'.repeat(9)}`)).toBe(true)
    expect(sortKey('9'.repeat(99)) < sortKey(`1${'0'.repeat(99)}`)).toBe(true)
  })
})

describe('numberedName', () => {
  it.each([
    ['a.txt', 'a (1).txt'],
    ['archive.tar.gz', 'archive.tar (1).gz'],
    ['.profile', '.profile (1)'],
    ['plain', 'plain (1)'],
    ['dot.', 'dot (1).'],
  ])('turns %s into %s', (name, expected) => {
    expect(numberedName(name, 1)).toBe(expected)
  })

  it('stays within 255 bytes and splits no character', () => {
    const name = numberedName(`${'👩‍👩‍👧'.repeat(13)}${'ä'.repeat(10)}.txt`, 12)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
    expect(name.isWellFormed()).toBe(true)
    expect(name.endsWith(' (12).txt')).toBe(true)
  })

  it('shortens the extension if it makes up nearly the whole name', () => {
    expect(splitExtension(`a.${'x'.repeat(253)}`)[1]).toBe('')
    expect(Buffer.byteLength(numberedName(`a.${'x'.repeat(253)}`, 1))).toBeLessThanOrEqual(255)
  })
})
