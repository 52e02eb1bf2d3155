import { expect, it } from 'vitest'
import { mediaFormatOf } from './media-format.ts'

it.each([
  ['a wma', '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c', 'asf'],
  ['an aiff', 'FORM\0\0\x10\0AIFFCOMM', 'aiff'],
  ['a compressed aiff', 'FORM\0\0\x10\0AIFCFVER', 'aiff'],
  ['an ape', 'MAC \x96\x0f\0\0', 'ape'],
  ['a wav', 'RIFFn\x1c\0\0WAVEfmt ', 'wav'],
  ['an m4a', '\0\0\0\x1cftypM4A \0\0\x02\0', 'mov'],
  ['an avi', 'RIFFn\x1c\0\0AVI LIST', 'avi'],
  ['an mp3', 'ID3\x04\0\0', undefined],
  ['another form', 'FORM\0\0\x10\0ILBM', undefined],
  ['the start of a wma', '\x30\x26\xb2\x75', undefined],
  ['nothing', '', undefined],
])('%s is told by its first bytes', (_what, start, format) => {
  expect(mediaFormatOf(Buffer.from(start, 'latin1'))).toBe(format)
})
