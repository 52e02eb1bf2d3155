/**
 * Seconds of a segment: 225 frames of AAC at 48 kHz. Every segment is made by itself, and since all begin on the same grid of
 * frames, their sound fits together without a gap.
 */
export const SEGMENT_LENGTH = 4.8
/** A shorter rest is part of the segment before it. */
const LEAST = 0.5

export function countSegments(duration: number): number {
  return Math.max(1, Math.ceil((duration - LEAST) / SEGMENT_LENGTH))
}

/** A playlist of the whole video, told from its length alone: every segment can be asked for at once, in any order. */
export function writePlaylist(duration: number, addressOf: (index: number) => string): string {
  const count = countSegments(duration)
  const segments = Array.from({ length: count }, (_, index) => {
    const length = index === count - 1 ? duration - index * SEGMENT_LENGTH : SEGMENT_LENGTH
    return `#EXTINF:${length.toFixed(3)},\n${addressOf(index)}\n`
  })
  const head = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${Math.ceil(SEGMENT_LENGTH + LEAST)}`]
  return `${[...head, '#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-INDEPENDENT-SEGMENTS'].join('\n')}\n${segments.join('')}#EXT-X-ENDLIST\n`
}
