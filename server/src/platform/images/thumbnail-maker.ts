import { availableParallelism } from 'node:os'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { availableMemory } from '../processes/available-memory.ts'
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
/** Of the address space that its limit counts, Node takes so much before it has begun. */
const TAKEN_BY_NODE = 688 * MEBIBYTE
/** What decoding may take at most, for pictures and films as large as anybody has them. */
const MAX_FOR_DECODING = 848 * MEBIBYTE
/** Below this there is room for one process beside the server; from it on a second one is left for others. */
const ENOUGH_FOR_SEVERAL = 768 * MEBIBYTE

/** How many processes may draw at once, and how much memory each may take, on a machine with so many cores and bytes. */
export function planDrawing(cores: number, memory: number): { size: number; maxMemory: number } {
  // Half of the cores: the other half is for whoever waits for a response.
  const size = memory < ENOUGH_FOR_SEVERAL ? 1 : Math.max(2, Math.floor(cores / 2))
  return { size, maxMemory: TAKEN_BY_NODE + Math.min(MAX_FOR_DECODING, Math.floor(memory / 4)) }
}

/** Milliseconds of processor time that drawing one document may take: a document that needs more has no thumbnail. */
const TIMEOUT = 10_000

/** Makes small pictures of files that nobody has checked, each in a process that may crash, hang or swell. */
export class ThumbnailMaker {
  readonly #pool: ProcessPool<DrawingOrder, Uint8Array | undefined>
  readonly #ffmpeg: string | undefined

  constructor(ffmpeg?: string, timeout = TIMEOUT) {
    this.#ffmpeg = ffmpeg
    this.#pool = new ProcessPool({
      script: new URL('./thumbnail-process.ts', import.meta.url),
      ...planDrawing(availableParallelism(), availableMemory()),
      maxWaiting: 500,
      timeout,
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
