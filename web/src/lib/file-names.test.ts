import { describe, expect, test } from 'vitest'
import { joinExtension, splitExtension, splitForEllipsis } from './file-names.ts'

describe('splitExtension', () => {
  test.each([
    ['Itinerary.pdf', 'Itinerary', 'pdf'],
    ['archive.tar.gz', 'archive.tar', 'gz'],
    ['README', 'README', ''],
    ['.env', '.env', ''],
    ['odd.', 'odd.', ''],
  ])('%s', (name, base, extension) => {
    expect(splitExtension(name)).toEqual({ base, extension })
    expect(joinExtension(base, extension)).toBe(name)
  })
})

test('joinExtension forgives blanks and a dot too many', () => {
  expect(joinExtension(' Plan ', ' .pdf ')).toBe('Plan.pdf')
  expect(joinExtension('Plan', ' ')).toBe('Plan')
})

describe('splitForEllipsis', () => {
  test('keeps the extension and the end of a long name', () => {
    expect(splitForEllipsis('Minutes of the meeting of 12 March 2026.docx')).toEqual({
      head: 'Minutes of the meeting of 12 March ',
      tail: '2026.docx',
    })
  })

  test('leaves short names whole', () => {
    expect(splitForEllipsis('a.pdf')).toEqual({ head: 'a.pdf', tail: '' })
  })

  test('does not part joined letters or surrogate pairs', () => {
    const arabic = 'محضر اجتماع مجلس الإدارة السنوي.pdf'
    expect(splitForEllipsis(arabic).tail).toBe('.pdf')
    const emoji = `${'a'.repeat(30)}😀😀.png`
    expect(splitForEllipsis(emoji).head.isWellFormed()).toBe(true)
  })

  test('loses nothing', () => {
    for (const name of ['x'.repeat(255), `${'x'.repeat(60)}.${'y'.repeat(60)}`, 'a b c d e f g h i j k l m n o']) {
      const { head, tail } = splitForEllipsis(name)
      expect(head + tail).toBe(name)
    }
  })
})
