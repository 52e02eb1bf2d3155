import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { type Asker, ProcessPool } from '../processes/process-pool.ts'

/** What a picture is to be made from. */
export interface ThumbnailInput {
  /** The bytes, or the path of a file with them. */
  content: Uint8Array | string
  size: ThumbnailSize
  /** Of music its cover is wanted, not what else may be seen in it. */
  isMusic?: boolean
}

/** What the process is told: the program that takes frames from videos too, where there is one. */
export interface DrawingOrder extends ThumbnailInput {
  ffmpeg: string | undefined
}

const MEBIBYTE = 1024 * 1024

/** Makes small pictures of files that nobody has checked, each in a process that may crash, hang or swell. */
export class ThumbnailMaker {
  readonly #pool: ProcessPool<DrawingOrder, Uint8Array | undefined>
  readonly #ffmpeg: string | undefined

  constructor(processes: number, ffmpeg?: string) {
    this.#ffmpeg = ffmpeg
    this.#pool = new ProcessPool({
      script: new URL('./thumbnail-process.ts', import.meta.url),
      size: processes,
      maxWaiting: 500,
      timeout: 60_000,
      maxMemory: 1536 * MEBIBYTE,
      maxCpu: 900,
    })
  }

  get canDrawVideos(): boolean {
    return this.#ffmpeg !== undefined
  }

  /** A WebP; undefined where this machine lacks what could make it. Rejects as the pool does. */
  make(input: ThumbnailInput, asker: Asker): Promise<Uint8Array | undefined> {
    return this.#pool.run({ ...input, ffmpeg: this.#ffmpeg }, asker)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
