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
] as const)(
  'a video in %s of %s and %s is played as %s where it can be made playable',
  (format, video, audio, kind) => {
    expect(streamKindOf({ format, video, audio }, 'x', true)).toBe(kind)
  },
)

it('H.264 that browsers hardly play is made playable', () => {
  expect(streamKindOf({ format: 'mov', video: 'h264', pixels: 'yuv420p10le' }, 'mp4', true)).toBe('hls')
  expect(streamKindOf({ format: 'mov', video: 'h264', pixels: 'yuvj420p' }, 'mp4', true)).toBe('file')
})

it('where nothing can be made playable, browsers try all but what none of them reads', () => {
  expect(streamKindOf({ format: 'mov', video: 'prores' }, 'mov', false)).toBe('file')
  expect(streamKindOf({ format: 'flv', video: 'h264' }, 'flv', false)).toBe('unplayable')
})

it('a video that is not known is judged by its name', () => {
  expect(['avi', 'flv', 'mpg', 'mkv', 'mp4'].map((extension) => streamKindOf(undefined, extension, true))).toEqual([
    'unplayable',
    'unplayable',
    'unplayable',
    'file',
    'file',
  ])
})
