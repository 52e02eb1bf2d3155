import { expect, it } from 'vitest'
import type { Streams } from './media-reader.ts'
import { planSegments, type SegmentPlan, timesOf, writePlaylist } from './segment-plan.ts'

const film: Streams = { format: 'matroska', video: 'h264', cuts: [0, 6.2, 12, 19.9] }
const encoded = (duration: number) => planSegments(film, duration, 'encode') as SegmentPlan

it('plans transcoded segments of 4.8 seconds and adds a short rest to the last one', () => {
  expect([0.1, 4.8, 5.2, 5.4, 9.6, 48].map((duration) => encoded(duration).starts.length)).toEqual([1, 1, 1, 2, 2, 10])
  expect(timesOf(encoded(12), 1)).toEqual({ start: 4.8, end: 9.6 })
  expect(timesOf(encoded(12), 2)).toEqual({ start: 9.6, end: undefined })
  expect(timesOf(encoded(12), 3)).toBeUndefined()
})

it('plans remuxed segments at the key frames, and none if these are unknown', () => {
  expect(planSegments(film, 20, 'copy')?.starts).toEqual([0, 6.2, 12])
  expect(planSegments({ format: 'matroska', video: 'h264' }, 20, 'copy')).toBeUndefined()
  expect(planSegments({ ...film, cuts: [] }, 20, 'copy')).toBeUndefined()
})

it('writes a playlist of all segments whose lengths add up to the duration', () => {
  for (const [way, longest] of [
    ['encode', 5],
    ['copy', 7],
  ] as const) {
    const playlist = writePlaylist(planSegments(film, 13.345, way) as SegmentPlan, (index) => `segments/${index}?x=1`)
    expect(playlist.match(/segments\/\d+\?x=1/g)).toEqual(['segments/0?x=1', 'segments/1?x=1', 'segments/2?x=1'])
    const lengths = [...playlist.matchAll(/#EXTINF:([\d.]+),/g)].map(([, length]) => Number(length))
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeCloseTo(13.345, 3)
    expect(playlist).toContain(`#EXT-X-TARGETDURATION:${longest}\n`)
    expect(playlist.endsWith('#EXT-X-ENDLIST\n')).toBe(true)
  }
})
