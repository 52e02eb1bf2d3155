import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../platform/processes/find-program.ts'

const programPath = process.env.PATH ?? ''

/** The settings of an app that makes thumbnails of videos; undefined on a machine without ffmpeg. */
export const withFfmpeg = findProgram('ffmpeg', programPath) ? { programPath } : undefined

/** A film of 64 x 48 points: red, and from the third second on blue. */
const FILM = 'color=red:s=64x48:d=2.5[a];color=blue:s=64x48:d=1.5[b];[a][b]concat'

/** A film made by ffmpeg, in the container that the extension names; `options` may name other inputs and codecs. */
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

/** An MP4 as a phone held upright writes it: the same points, and a note to turn them by a quarter. */
export function turnUpright(video: Buffer): Buffer {
  const matrix = Buffer.alloc(36)
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000].entries()) {
    matrix.writeInt32BE(value, index * 4)
  }
  const turned = Buffer.from(video)
  matrix.copy(turned, turned.indexOf('tkhd') + 44)
  return turned
}
