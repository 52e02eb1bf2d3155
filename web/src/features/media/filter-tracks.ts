import type { MediaFile } from '@alcove/contract/media'
import { foldForSearch } from '@alcove/contract/search-text'

/** The tracks with all the given words in their file name, title, artist or album, without regard to case and accents. */
export function filterTracks(tracks: readonly MediaFile[], text: string): readonly MediaFile[] {
  const words = foldForSearch(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return tracks
  return tracks.filter(({ filename, title, artist, album }) => {
    const written = foldForSearch([filename, title, artist, album].filter(Boolean).join('\n'))
    return words.every((word) => written.includes(word))
  })
}
