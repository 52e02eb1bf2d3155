import { describe, expect, test } from 'vitest'
import { endOfName, joinExtension, splitExtension } from './file-names.ts'

describe('splitExtension', () => {
  test.each([
    ['Itinerary.pdf', 'Itinerary', 'pdf'],
    ['archive.tar.gz', 'archive.tar', 'gz'],
    ['README', 'README', ''],
    ['.env', '.env', ''],
    ['odd.', 'odd.', ''],
  ])('splits %s into "%s" and "%s"', (name, base, extension) => {
    expect(splitExtension(name)).toEqual({ base, extension })
    expect(joinExtension({ base, extension })).toBe(name)
  })
})

test('joinExtension ignores extra spaces and an extra dot', () => {
  expect(joinExtension({ base: ' Plan ', extension: ' .pdf ' })).toBe('Plan.pdf')
  expect(joinExtension({ base: 'Plan', extension: ' ' })).toBe('Plan')
})

test('joinExtension keeps the blanks of a field that was not changed', () => {
  const first = splitExtension(' Plan .pdf ')
  expect(joinExtension(first, first)).toBe(' Plan .pdf ')
  expect(joinExtension({ ...first, extension: ' txt ' }, first)).toBe(' Plan .txt')
  expect(joinExtension({ ...first, base: ' Plans ' }, first)).toBe('Plans.pdf ')
})

describe('endOfName', () => {
  test('returns the extension and the last letters of a long name', () => {
    expect(endOfName('Minutes of the meeting of 12 March 2026.docx')).toBe('2026.docx')
  })

  test('returns an empty string for short names', () => {
    expect(endOfName('a.pdf')).toBe('')
  })

  test("doesn't split joined letters or surrogate pairs", () => {
    expect(endOfName('محضر اجتماع مجلس الإدارة السنوي.pdf')).toBe('.pdf')
    expect(endOfName(`${'a'.repeat(30)}😀😀.png`)).toBe('.png')
  })

  test('returns a part of the name, never all of it', () => {
    for (const name of ['x'.repeat(255), `${'x'.repeat(60)}.${'y'.repeat(60)}`, 'a b c d e f g h i j k l m n o']) {
      const end = endOfName(name)
      expect(name.endsWith(end)).toBe(true)
      expect(end.length).toBeLessThan(name.length)
    }
  })
})
