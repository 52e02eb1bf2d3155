import type { MediaFile } from '@alcove/contract/media'
import { foldForSearch } from '@alcove/contract/search-text'

const TRACK_ORDERS = ['name', 'title', 'artist', 'album', 'length'] as const
export type TrackOrder = (typeof TRACK_ORDERS)[number]
const TRACK_GROUPS = ['none', 'album', 'artist'] as const
export type TrackGroups = (typeof TRACK_GROUPS)[number]

/** How the music is listed. */
export interface TrackView {
  readonly order: TrackOrder
  readonly groups: TrackGroups
}

/** A line of the list: a track, or the heading of a group of tracks. */
type TrackLine =
  | { readonly id: string; readonly track: MediaFile; readonly place: number }
  | { readonly id: string; readonly heading: string; readonly tracks: readonly MediaFile[] }

type Compare = (a: MediaFile, b: MediaFile) => number

const { compare: compareTexts } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares by a text. Tracks without the text come last. */
function byText(read: (track: MediaFile) => string | undefined): Compare {
  return (a, b) => {
    const [left, right] = [read(a), read(b)]
    if (left === right) return 0
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1
    return compareTexts(left, right)
  }
}

function byNumber(read: (track: MediaFile) => number | undefined): Compare {
  return (a, b) => {
    const difference = (read(a) ?? Number.POSITIVE_INFINITY) - (read(b) ?? Number.POSITIVE_INFINITY)
    return Number.isNaN(difference) ? 0 : difference
  }
}

function inTurn(...compares: Compare[]): Compare {
  return (a, b) => {
    for (const compare of compares) {
      const result = compare(a, b)
      if (result !== 0) return result
    }
    return 0
  }
}

const byAlbum = byText(({ album }) => album)
const byTrack = byNumber(({ track }) => track)

/** Tracks that compare as equal stay in the order of the server, which is by name. */
const compares: Record<Exclude<TrackOrder, 'name'>, Compare> = {
  title: byText(({ title, filename }) => title ?? filename),
  artist: inTurn(
    byText(({ artist }) => artist),
    byAlbum,
    byTrack,
  ),
  album: inTurn(byAlbum, byTrack),
  length: byNumber(({ duration }) => duration),
}

/** Returns the lines of the list, sorted and grouped as chosen. */
export function arrangeTracks(tracks: readonly MediaFile[], { order, groups }: TrackView): readonly TrackLine[] {
  const sorted = order === 'name' ? tracks : tracks.toSorted(compares[order])
  let place = 0
  const lineOf = (track: MediaFile): TrackLine => ({ id: track.id, track, place: place++ })
  if (groups === 'none') return sorted.map(lineOf)
  return groupTracks(sorted, groups, order).flatMap((group) => [group, ...group.tracks.map(lineOf)])
}

function groupTracks(tracks: readonly MediaFile[], by: 'album' | 'artist', order: TrackOrder) {
  const groups = new Map<string, { id: string; name: string | undefined; tracks: MediaFile[] }>()
  for (const track of tracks) {
    const name = track[by]
    const id = name === undefined ? 'no group' : `group ${foldForSearch(name)}`
    const group = groups.get(id)
    if (group) group.tracks.push(track)
    else groups.set(id, { id, name, tracks: [track] })
  }
  return [...groups.values()]
    .toSorted((a, b) => {
      if (a.name === undefined || b.name === undefined)
        return Number(a.name === undefined) - Number(b.name === undefined)
      return compareTexts(a.name, b.name)
    })
    .map((group) => ({
      id: group.id,
      heading: group.name ?? (by === 'album' ? 'No album' : 'No artist'),
      // The tracks of an album keep its order, unless the user chose another one.
      tracks: by === 'album' && order === 'name' ? group.tracks.toSorted(byTrack) : group.tracks,
    }))
}

/** Parses the view of the music that the session stores. */
export function readTrackView(text: string | undefined): TrackView {
  const [order, groups] = (text ?? '').split(' ')
  return {
    order: TRACK_ORDERS.find((one) => one === order) ?? 'name',
    groups: TRACK_GROUPS.find((one) => one === groups) ?? 'none',
  }
}

export function writeTrackView({ order, groups }: TrackView): string {
  return `${order} ${groups}`
}

/** Returns the tracks that have all words in their file name, title, artist or album, ignoring case and accents. */
export function filterTracks(tracks: readonly MediaFile[], text: string): readonly MediaFile[] {
  const words = foldForSearch(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return tracks
  return tracks.filter(({ filename, title, artist, album }) => {
    const written = foldForSearch([filename, title, artist, album].filter(Boolean).join('\n'))
    return words.every((word) => written.includes(word))
  })
}
