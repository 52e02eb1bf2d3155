import { stat } from 'node:fs/promises'
import { type IAudioMetadata, parseBuffer, parseFile } from 'music-metadata'
import type { Tags } from './media-reader.ts'
import { readDuration, tidyText } from './tidy-tags.ts'

/** A larger file is not read to its end where its head does not tell how long it is. */
const READ_WHOLE = 256 * 1024 * 1024
const MAX_TRACK = 9999

/** What a file says of itself; nothing of what cannot be read. */
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
