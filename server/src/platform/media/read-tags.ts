import { stat } from 'node:fs/promises'
import { type IAudioMetadata, parseBuffer, parseFile } from 'music-metadata'
import type { Tags } from './media-reader.ts'

/** A larger file is not read to its end to find its duration. */
const READ_WHOLE = 256 * 1024 * 1024
const MAX_TRACK = 9999

/** Reads a file's tags. Tags that can't be read are null. */
export async function readTags(content: Uint8Array | string): Promise<Tags> {
  const read = await parse(content).catch(() => undefined)
  const { common, format } = read ?? {}
  const track = common?.track?.no
  return {
    title: tidyText(common?.title),
    artist: tidyText(common?.artist),
    album: tidyText(common?.album),
    track:
      Number.isInteger(track) && (track as number) > 0 && (track as number) <= MAX_TRACK ? (track as number) : null,
    duration: readDuration(format?.duration),
    hasCover: (common?.picture?.length ?? 0) > 0,
  }
}

async function parse(content: Uint8Array | string): Promise<IAudioMetadata> {
  if (typeof content !== 'string') return parseBuffer(content, undefined, { duration: true })
  const { size } = await stat(content)
  return parseFile(content, { duration: size <= READ_WHOLE })
}

/** The maximum length of a title, artist or album. */
const MAX_TEXT = 300
/** A year. Longer durations are mistakes. */
const MAX_DURATION = 366 * 86_400

/** Characters that are invisible or change the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g

/** Returns a text from a file as one line of limited length, or null if nothing is left. */
function tidyText(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const line = text
    .slice(0, 8 * MAX_TEXT)
    .toWellFormed()
    .replace(UNSEEN, ' ')
    .trim()
  return line === '' ? null : [...line].slice(0, MAX_TEXT).join('')
}

/** Returns seconds to the thousandth, or null if the value makes no sense. */
export function readDuration(seconds: unknown): number | null {
  const duration = Number(seconds)
  return duration > 0 && duration <= MAX_DURATION ? Math.round(duration * 1000) / 1000 : null
}
