import type { MediaFile } from '@alcove/contract/media'
import { describe, expect, it } from 'vitest'
import { arrangeTracks, readTrackView, type TrackView, writeTrackView } from './arrange-tracks.ts'

function track(filename: string, details: Partial<MediaFile> = {}): MediaFile {
  return { id: filename, filename, folder_id: null, size: 1, modifiedAt: '', updatedAt: '', ...details }
}

const tracks = [
  track('a', { title: 'Wave', artist: 'Tom', album: 'Wave', track: 2, duration: 200 }),
  track('b', { title: 'Antigua', artist: 'Tom', album: 'Wave', track: 1, duration: 100 }),
  track('c'),
  track('d', { title: 'Élan', artist: 'ana', album: 'Desfado', track: 10, duration: 300 }),
  track('e', { title: 'Zero', artist: 'Ana', album: 'Desfado', track: 9 }),
]
const show = (view: Partial<TrackView>) =>
  arrangeTracks(tracks, { order: 'name', groups: 'none', ...view }).map((line) =>
    'track' in line ? line.track.filename : `${line.heading} ${line.tracks.length}`,
  )

describe('arrangeTracks', () => {
  it.each([
    ['name', 'a b c d e'],
    ['title', 'b c d a e'],
    ['artist', 'e d b a c'],
    ['album', 'e d b a c'],
    ['length', 'b a d c e'],
  ] as const)('sorts the tracks by %s in the order "%s"', (order, expected) => {
    expect(show({ order }).join(' ')).toBe(expected)
  })

  it('sorts groups by name, ignoring case, with the tracks without a group at the end', () => {
    expect(show({ groups: 'artist' })).toEqual(['ana 2', 'd', 'e', 'Tom 2', 'a', 'b', 'No artist 1', 'c'])
  })

  it('keeps the track order within albums unless another order is chosen', () => {
    expect(show({ groups: 'album' })).toEqual(['Desfado 2', 'e', 'd', 'Wave 2', 'b', 'a', 'No album 1', 'c'])
    expect(show({ groups: 'album', order: 'length' }).slice(3, 6)).toEqual(['Wave 2', 'b', 'a'])
  })

  it('numbers the tracks without counting the headings', () => {
    const places = arrangeTracks(tracks, { order: 'name', groups: 'album' }).flatMap((line) =>
      'track' in line ? [line.place] : [],
    )
    expect(places).toEqual([0, 1, 2, 3, 4])
  })

  it('arranges 20,000 tracks in groups', () => {
    const many = Array.from({ length: 20_000 }, (_, index) =>
      track(`${index}`, { title: `Song ${(index * 7919) % 20_000}`, artist: `Artist ${index % 500}` }),
    )
    expect(arrangeTracks(many, { order: 'title', groups: 'artist' }).length).toBe(20_500)
  })
})

it('reads a stored view and falls back to the default order for unknown text', () => {
  const view = { order: 'album', groups: 'artist' } as const
  expect(readTrackView(writeTrackView(view))).toEqual(view)
  for (const text of [undefined, '', 'x y', 'name', ' album']) expect(readTrackView(text).order).toBe('name')
})
