import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../../platform/processes/operating-system.ts'

const programPath = process.env.PATH ?? ''

/** The settings of an app with ffmpeg; undefined if ffmpeg is not installed. */
export const withFfmpeg = findProgram('ffmpeg', programPath) ? { programPath } : undefined

/** A video of 64 x 48 pixels, which is red for 2.5 seconds and then blue. */
const FILM = 'color=red:s=64x48:d=2.5[a];color=blue:s=64x48:d=1.5[b];[a][b]concat'

/** Creates a video with ffmpeg, in the container of the extension. `options` may add inputs and codecs. */
export async function recordVideo(extension: string, options: readonly string[] = [], film = FILM): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'alcove-film-'))
  const path = join(folder, `film.${extension}`)
  try {
    await promisify(execFile)('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      film,
      '-r',
      '25',
      ...options,
      path,
    ])
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns the presentation times of the video or audio packets, in seconds, in order. */
export async function readPacketTimes(film: Uint8Array, stream: 'v' | 'a'): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'alcove-times-'))
  const path = join(folder, 'film')
  try {
    await writeFile(path, film)
    const requested = ['-v', 'error', '-select_streams', stream, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0']
    const { stdout } = await promisify(execFile)('ffprobe', [...requested, path])
    return (stdout.match(/\d+\.\d+/g) ?? []).map(Number).toSorted((a, b) => a - b)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Decodes a video with ffmpeg and returns the errors that it prints. */
export async function findDecodeErrors(film: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'alcove-decoded-'))
  const path = join(folder, 'film')
  try {
    await writeFile(path, film)
    const { stderr } = await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-i', path, '-f', 'null', '-'])
    return stderr
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns an MP4 as a phone held upright records it: with the same pixels, and a matrix that rotates them by 90°. */
export function turnUpright(video: Buffer): Buffer {
  const matrix = Buffer.alloc(36)
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000].entries()) {
    matrix.writeInt32BE(value, index * 4)
  }
  const turned = Buffer.from(video)
  matrix.copy(turned, turned.indexOf('tkhd') + 44)
  return turned
}
