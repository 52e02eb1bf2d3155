import { expect, it } from 'vitest'
import { streamKindOf } from './stream-url.ts'

it.each([
  ['mov', 'h264', 'aac', 'file'],
  ['mov', 'hevc', 'aac', 'file'],
  ['mov', 'mpeg4', 'aac', 'hls'],
  ['mov', 'h264', 'ac3', 'hls'],
  ['mov', 'h263', 'amr_nb', 'hls'],
  ['matroska', 'vp9', 'opus', 'file'],
  ['matroska', 'mpeg4', 'mp3', 'hls'],
  ['matroska', undefined, 'opus', 'file'],
  ['ogg', 'theora', 'vorbis', 'hls'],
  ['avi', 'h264', 'mp3', 'hls'],
  ['flv', 'h264', 'aac', 'hls'],
  ['mpeg', 'mpeg2video', 'mp2', 'hls'],
] as const)('plays %s with %s video and %s audio as %s if the server can convert it', (format, video, audio, kind) => {
  expect(streamKindOf({ format, video, audio }, 'x', true)).toBe(kind)
})

it('converts H.264 with a pixel format that browsers rarely support', () => {
  expect(streamKindOf({ format: 'mov', video: 'h264', pixels: 'yuv420p10le' }, 'mp4', true)).toBe('hls')
  expect(streamKindOf({ format: 'mov', video: 'h264', pixels: 'yuvj420p' }, 'mp4', true)).toBe('file')
})

it('lets browsers try all containers except unsupported ones if the server cannot convert', () => {
  expect(streamKindOf({ format: 'mov', video: 'prores' }, 'mov', false)).toBe('file')
  expect(streamKindOf({ format: 'flv', video: 'h264' }, 'flv', false)).toBe('unplayable')
})

it('decides by the extension while the streams are unknown', () => {
  expect(['avi', 'flv', 'mpg', 'mkv', 'mp4'].map((extension) => streamKindOf(undefined, extension, true))).toEqual([
    'unplayable',
    'unplayable',
    'unplayable',
    'file',
    'file',
  ])
})
