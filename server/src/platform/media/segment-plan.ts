import type { Streams } from './media-reader.ts'

/**
 * How segments are made. Copied pictures are cut at their own key frames; encoded ones can be cut anywhere. If browsers support
 * the pictures, a film can be played both ways.
 */
export type Way = 'copy' | 'encode'

/**
 * Seconds of an encoded segment: 225 frames of AAC at 48 kHz, so that all segments begin on one grid of frames. Copied segments
 * are at least as long.
 */
export const SEGMENT_LENGTH = 4.8
/** A shorter rest is part of the segment before it. */
const LEAST = 0.5

/** The kinds of H.264 that every browser decodes. */
const PLAIN_PIXELS = ['yuv420p', 'yuvj420p']
/** The codecs that every browser plays in MP4, besides H.264. */
const PLAIN_SOUND = ['aac', 'mp3']

/** Returns whether the pictures of a film can be copied, because only its container or its sound needs conversion. */
export function paysToCut({ format, video, audio, pixels }: Streams): boolean {
  const canCopy = video === 'h264' && pixels !== undefined && PLAIN_PIXELS.includes(pixels)
  return canCopy && !(format === 'mov' && (audio === undefined || PLAIN_SOUND.includes(audio)))
}

/** The segments of a film, known before any of them is made. */
export interface SegmentPlan {
  readonly way: Way
  /** The start of each segment in seconds. Each ends where the next starts, the last one with the film. */
  readonly starts: readonly number[]
  readonly duration: number
}

/** Seconds. The last segment ends with the film. */
export interface SegmentTimes {
  readonly start: number
  readonly end: number | undefined
}

/** Returns the plan of a film, or undefined if it can't be played this way. */
export function planSegments({ cuts }: Streams, duration: number, way: Way): SegmentPlan | undefined {
  if (way === 'encode') {
    const count = Math.max(1, Math.ceil((duration - LEAST) / SEGMENT_LENGTH))
    return { way, starts: Array.from({ length: count }, (_, index) => index * SEGMENT_LENGTH), duration }
  }
  if (!cuts) return undefined
  const starts = cuts.filter((cut) => cut < duration - LEAST)
  return starts.length === 0 ? undefined : { way, starts, duration }
}

export function timesOf({ starts }: SegmentPlan, index: number): SegmentTimes | undefined {
  const start = starts[index]
  return start === undefined ? undefined : { start, end: starts[index + 1] }
}

/** Writes a playlist of the whole film. Segments can be requested in any order. */
export function writePlaylist({ starts, duration }: SegmentPlan, addressOf: (index: number) => string): string {
  const lengths = starts.map((start, index) => (starts[index + 1] ?? duration) - start)
  const segments = lengths.map((length, index) => `#EXTINF:${length.toFixed(3)},\n${addressOf(index)}\n`)
  const longest = Math.ceil(Math.max(...lengths))
  const head = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${longest}`]
  return `${[...head, '#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-INDEPENDENT-SEGMENTS'].join('\n')}\n${segments.join('')}#EXT-X-ENDLIST\n`
}
