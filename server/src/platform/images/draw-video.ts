import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { GIVEN_FILE, inputArguments, MEMORY_BOUNDS } from '../media/ffmpeg-input.ts'
import { openContent, runProgram } from '../media/run-program.ts'
import type { VideoFormat } from '../media/video-format.ts'
import { drawPicture } from './draw-picture.ts'

/**
 * Films begin in black: some seconds later there is something to see. What is shorter shows its first frame, read from the
 * start: even a seek to the start fails where the end of the file is missing.
 */
const SEEKS = [['-ss', '3'], []]
/** Milliseconds for a frame by the clock. The processor time of both tries counts towards the thumbnail's own. */
const TIMEOUT = 25_000
/** The largest frame that is asked for, in 1280 x 1280 points of three bytes, with room to spare. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * A small WebP of a frame of a video, which ffmpeg takes from it as one more process of this one's group, within its bounds.
 * Undefined where ffmpeg cannot be started, or the bytes cannot be laid before it: no fault of the video.
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

/** The frame comes upright, and no larger than needed. */
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
    // The cover of a piece of music is a picture, not a video: 'V' leaves it out.
    ...['-map', '0:V:0', '-frames:v', '1', '-vf', `scale=w='max(1,iw*sar*${scale})':h='max(1,ih*${scale})',setsar=1`],
    ...['-pix_fmt', 'rgb24', '-c:v', 'png', '-threads', '1', '-f', 'image2pipe', 'pipe:1'],
  ]
}
