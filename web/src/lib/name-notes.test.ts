import { expect, test } from 'vitest'
import { noteOnBlanks, noteOnUpload } from './name-notes.ts'

test.each([
  ['a.txt', undefined],
  ['a b.txt', undefined],
  ['a.txt ', "This name ends with a blank. Windows can't store it."],
  [' a.txt ', "This name ends with a blank. Windows can't store it."],
  [' a.txt', 'This name begins with a blank, which some programs remove.'],
  ['a\u00a0', 'This name ends with a blank, which some programs remove.'],
])('noteOnBlanks describes %j', (name, note) => {
  expect(noteOnBlanks(name)).toBe(note)
})

test('noteOnUpload describes one name in full, and counts several', () => {
  const firstTwin = { name: 'a.txt', twin: 'A.txt' }
  const one = { twins: 1, firstTwin, blanks: 1, firstBlank: 'b ' }
  expect(noteOnUpload(one, false)).toEqual([
    '"A.txt" is already here. Windows and macOS can\'t store both names in one folder.',
    "This name ends with a blank. Windows can't store it.",
  ])
  expect(noteOnUpload(one, true)).toEqual([
    '"a.txt" is beside "A.txt". Windows and macOS can\'t store both names in one folder.',
    'The name "b " ends with a blank. Windows can\'t store it.',
  ])
  expect(noteOnUpload({ ...one, twins: 1200, blanks: 2 }, true)).toEqual([
    "1,200 names differ from others only in case. Windows and macOS can't store both.",
    "2 names begin or end with a blank. Windows can't store all of them.",
  ])
})
