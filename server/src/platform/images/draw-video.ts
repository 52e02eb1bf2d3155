import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { drawPicture } from './draw-picture.ts'
import type { VideoFormat } from './video-format.ts'

/**
 * Films begin in black: some seconds later there is something to see. What is shorter shows its first frame, read from the
 * start: even a seek to the start fails where the end of the file is missing.
 */
const SEEKS = [['-ss', '3'], []]
/** Milliseconds for a frame; both tries fit into the time of a thumbnail. */
const TIMEOUT = 25_000
const MAX_PIXELS = 50_000_000
const MAX_BLOCK = 256 * 1024 * 1024
/** The largest frame that is asked for, in 1280 x 1280 points of three bytes, with room to spare. */
const MAX_BYTES = 8 * 1024 * 1024
/** What a shell answers where a program, or a part of it, is not there. */
const NOT_FOUND = 127

/** What cameras, phones and the web record; decoders that hardly anybody uses are those that hardly anybody checks. */
const DECODERS = [
  ...['h264', 'hevc', 'vp8', 'vp9', 'libvpx', 'libvpx-vp9', 'av1', 'libdav1d', 'libaom-av1', 'theora'],
  ...['mpeg1video', 'mpeg2video', 'mpeg4', 'msmpeg4v1', 'msmpeg4v2', 'msmpeg4', 'h263', 'h263i', 'mjpeg', 'flv'],
  ...['vp6', 'vp6f', 'vp6a', 'wmv1', 'wmv2', 'svq1', 'svq3', 'cinepak', 'dvvideo', 'prores', 'dnxhd', 'rawvideo'],
]

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
      const frame = await takeFrame(ffmpeg, file, frameArguments(format, seek, size))
      if (!frame) return undefined
      if (frame.length > 0) return await drawPicture(frame, size)
    }
    throw new Error('the video has no frame')
  } finally {
    await file.close()
  }
}

/** Frames lie anywhere in a video, so ffmpeg gets a file in any case; that of bytes at hand has no name any more. */
async function openContent(content: Uint8Array | string): Promise<FileHandle> {
  if (typeof content === 'string') return open(content)
  const folder = await mkdtemp(join(tmpdir(), 'alcove-video-'))
  try {
    const file = await open(join(folder, 'video'), 'wx+', 0o600)
    await file.writeFile(content)
    return file
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The container is told, not guessed, and may name no other file; the frame comes upright, and no larger than needed. */
function frameArguments(format: VideoFormat, seek: readonly string[], size: ThumbnailSize): string[] {
  const side = size === 1280 ? size : 2 * size
  const scale = `min(1,${side}/max(iw*sar,ih))`
  const reading = ['-f', format, '-format_whitelist', format, '-protocol_whitelist', 'file']
  if (format === 'mov') reading.push('-enable_drefs', '0')
  const bounds = ['-max_pixels', `${MAX_PIXELS}`, '-codec_whitelist', DECODERS.join(','), '-threads', '1']
  return [
    ...['-nostdin', '-v', 'quiet', '-max_alloc', `${MAX_BLOCK}`, '-filter_threads', '1'],
    ...[...reading, ...bounds, '-an', '-sn', '-dn', ...seek, '-i', 'file:/dev/fd/3'],
    // The cover of a piece of music is a picture, not a video: 'V' leaves it out.
    ...['-map', '0:V:0', '-frames:v', '1', '-vf', `scale=w='max(1,iw*sar*${scale})':h='max(1,ih*${scale})',setsar=1`],
    ...['-pix_fmt', 'rgb24', '-c:v', 'png', '-threads', '1', '-f', 'image2pipe', 'pipe:1'],
  ]
}

/** What ffmpeg writes, empty where there is no such frame; undefined where it cannot be started. */
async function takeFrame(ffmpeg: string, { fd }: FileHandle, args: string[]): Promise<Buffer | undefined> {
  const child = spawn(ffmpeg, args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'ignore', fd] })
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(kill, TIMEOUT)
  // Nobody is left to kill it where this process ends because the server has gone.
  process.once('exit', kill)
  const parts: Buffer[] = []
  let bytes = 0
  child.stdout?.on('data', (part: Buffer) => {
    parts.push(part)
    bytes += part.length
    if (bytes > MAX_BYTES) kill()
  })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === NOT_FOUND) return undefined
    return code === null ? Buffer.alloc(0) : Buffer.concat(parts)
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    process.off('exit', kill)
  }
}
