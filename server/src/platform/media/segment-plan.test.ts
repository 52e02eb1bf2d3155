import { expect, it } from 'vitest'
import { countSegments, writePlaylist } from './segment-plan.ts'

it('a video is cut into segments of 4.8 seconds, and a small rest goes with the last', () => {
  expect([0.1, 4.8, 5.2, 5.4, 9.6, 48].map(countSegments)).toEqual([1, 1, 1, 2, 2, 10])
})

it('a playlist names every segment, and their lengths make up the whole', () => {
  const playlist = writePlaylist(12.345, (index) => `segments/${index}?x=1`)
  expect(playlist.match(/segments\/\d+\?x=1/g)).toEqual(['segments/0?x=1', 'segments/1?x=1', 'segments/2?x=1'])
  const lengths = [...playlist.matchAll(/#EXTINF:([\d.]+),/g)].map(([, length]) => Number(length))
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeCloseTo(12.345, 3)
  expect(playlist).toContain('#EXT-X-TARGETDURATION:6')
  expect(playlist.endsWith('#EXT-X-ENDLIST\n')).toBe(true)
})
