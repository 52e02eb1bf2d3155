import { expect, it } from 'vitest'
import { mediaFormatOf, videoFormatOf } from './media-format.ts'

it.each([
  ['a wma', '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c', 'asf'],
  ['an aiff', 'FORM\0\0\x10\0AIFFCOMM', 'aiff'],
  ['a compressed aiff', 'FORM\0\0\x10\0AIFCFVER', 'aiff'],
  ['an ape', 'MAC \x96\x0f\0\0', 'ape'],
  ['a wav', 'RIFFn\x1c\0\0WAVEfmt ', 'wav'],
  ['an m4a', '\0\0\0\x1cftypM4A \0\0\x02\0', 'mov'],
  ['an avi', 'RIFFn\x1c\0\0AVI LIST', 'avi'],
  ['an mp3', 'ID3\x04\0\0', undefined],
  ['another IFF file', 'FORM\0\0\x10\0ILBM', undefined],
  ['a truncated wma', '\x30\x26\xb2\x75', undefined],
  ['an empty file', '', undefined],
])('detects the audio container of %s by its first bytes', (_what, start, format) => {
  expect(mediaFormatOf(Buffer.from(start, 'latin1'))).toBe(format)
})

it.each([
  ['an mp4', '\0\0\0\x20ftypisom\0\0\x02\0isomavc1', 'mov'],
  ['an old QuickTime film', '\0\0\0\x08wide\0\0\x04\x63mdat', 'mov'],
  ['a webm', '\x1a\x45\xdf\xa3\x9fB\x86\x81', 'matroska'],
  ['an avi', 'RIFFn\x1c\0\0AVI LIST', 'avi'],
  ['an flv', 'FLV\x01\x01\0\0\0\x09', 'flv'],
  ['an mpg', '\0\0\x01\xba\x21\0', 'mpeg'],
  ['a recorded broadcast', `G${'\0'.repeat(187)}G\0`, 'mpegts'],
  ['a film from a camera', `\0\0\0\0G${'\0'.repeat(191)}G\0`, 'mpegts'],
  ['a text file', `G${'o'.repeat(300)}`, undefined],
  ['an ogv', 'OggS\0\x02', 'ogg'],
  ['an AVIF', '\0\0\0\x1cftypmif1\0\0\0\0mif1avif', undefined],
  ['a WebP', 'RIFFn\x1c\0\0WEBPVP8 ', undefined],
  ['a wav', 'RIFFn\x1c\0\0WAVEfmt ', undefined],
  ['a playlist', '#EXTM3U\n#EXT-X-VERSION:3\n', undefined],
  ['a concat list', 'ffconcat version 1.0\nfile /etc/passwd\n', undefined],
  ['a DASH manifest', '<?xml version="1.0"?><MPD ', undefined],
  ['a few bytes', 'RI', undefined],
  ['an empty file', '', undefined],
])('detects the video container of %s by its first bytes', (_what, start, format) => {
  expect(videoFormatOf(Buffer.from(start, 'latin1'))).toBe(format)
})
