import { expect, it } from 'vitest'
import { videoFormatOf } from './video-format.ts'

it.each([
  ['an mp4', '\0\0\0\x20ftypisom\0\0\x02\0isomavc1', 'mov'],
  ['an old QuickTime film', '\0\0\0\x08wide\0\0\x04\x63mdat', 'mov'],
  ['a webm', '\x1a\x45\xdf\xa3\x9fB\x86\x81', 'matroska'],
  ['an avi', 'RIFFn\x1c\0\0AVI LIST', 'avi'],
  ['an flv', 'FLV\x01\x01\0\0\0\x09', 'flv'],
  ['an mpg', '\0\0\x01\xba\x21\0', 'mpeg'],
  ['a broadcast', `G${'\0'.repeat(187)}G\0`, 'mpegts'],
  ['the film of a camera', `\0\0\0\0G${'\0'.repeat(191)}G\0`, 'mpegts'],
  ['a text', `G${'o'.repeat(300)}`, undefined],
  ['an ogv', 'OggS\0\x02', 'ogg'],
  ['an AVIF', '\0\0\0\x1cftypmif1\0\0\0\0mif1avif', undefined],
  ['a WebP', 'RIFFn\x1c\0\0WEBPVP8 ', undefined],
  ['a wav', 'RIFFn\x1c\0\0WAVEfmt ', undefined],
  ['a playlist', '#EXTM3U\n#EXT-X-VERSION:3\n', undefined],
  ['a list of parts', 'ffconcat version 1.0\nfile /etc/passwd\n', undefined],
  ['a manifest', '<?xml version="1.0"?><MPD ', undefined],
  ['a few bytes', 'RI', undefined],
  ['nothing', '', undefined],
])('%s is told by its first bytes', (_what, start, format) => {
  expect(videoFormatOf(Buffer.from(start, 'latin1'))).toBe(format)
})
