import { expect, it } from 'vitest'
import { describeFileType } from './file-type-words.ts'

it.each([
  ['stairs.jpg', 'JPEG image'],
  ['Paper.PDF', 'PDF document'],
  ['budget.xlsx', 'XLSX spreadsheet'],
  ['fado.mp3', 'MP3 audio'],
  ['notes.txt', 'Text'],
  ['disk.img', 'IMG file'],
  ['Makefile', 'File'],
])('describes the type of %s as "%s"', (name, words) => {
  expect(describeFileType(name)).toBe(words)
})
