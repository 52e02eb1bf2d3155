import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { GIVEN_FILE, inputArguments, MEMORY_BOUNDS } from '../media/ffmpeg-input.ts'
import type { VideoFormat } from '../media/media-format.ts'
import { openContent, runProgram } from '../processes/run-program.ts'
import { drawPicture } from './draw-picture.ts'

/**
 * A frame 3 seconds from the start, because films begin in black. Shorter videos show their first frame, read without a seek:
 * even a seek to the start fails if the end of the file is missing.
 */
const SEEKS = [['-ss', '3'], []]
/** The time limit for a frame, in milliseconds. The processor time of both attempts counts towards the thumbnail's limit. */
const TIMEOUT = 25_000
/** The largest frame: 1280 x 1280 pixels of three bytes, plus some space. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Draws a small WebP of a frame of a video, which ffmpeg extracts within this process's group and limits. Returns undefined if
 * ffmpeg or the temporary file fails, which is not the video's fault.
 */
export async function drawVideo(
  content: Uint8Array | string,
  format: VideoFormat,
  size: ThumbnailSize,
  ffmpeg: string,
): Promise<Uint8Array | undefined> {
  const file = await openContent(content).catch(() => undefined)
  if (!file) return undefined
  try {
    for (const seek of SEEKS) {
      const frame = await runProgram(ffmpeg, frameArguments(format, seek, size), file, {
        timeout: TIMEOUT,
        maxBytes: MAX_BYTES,
      })
      if (!frame) return undefined
      if (frame.length > 0) return await drawPicture(frame, size)
    }
    throw new Error('the video has no frame')
  } finally {
    await file.close()
  }
}

/** The frame is upright and no larger than needed. */
function frameArguments(format: VideoFormat, seek: readonly string[], size: ThumbnailSize): string[] {
  const side = size === 1280 ? size : 2 * size
  const scale = `min(1,${side}/max(iw*sar,ih))`
  return [
    ...['-nostdin', '-v', 'quiet', ...MEMORY_BOUNDS, '-filter_threads', '1'],
    ...[
      ...inputArguments(format, { withSound: false }),
      '-threads',
      '1',
      '-an',
      '-sn',
      '-dn',
      ...seek,
      '-i',
      GIVEN_FILE,
    ],
    // 'V' excludes the cover of a music file, which is a picture and not a video.
    ...['-map', '0:V:0', '-frames:v', '1', '-vf', `scale=w='max(1,iw*sar*${scale})':h='max(1,ih*${scale})',setsar=1`],
    ...['-pix_fmt', 'rgb24', '-c:v', 'png', '-threads', '1', '-f', 'image2pipe', 'pipe:1'],
  ]
}
