import { availableParallelism } from 'node:os'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { availableMemory } from '../processes/operating-system.ts'
import { type Asker, ProcessPool } from '../processes/process-pool.ts'

/** The input of a thumbnail. */
export interface ThumbnailInput {
  /** The bytes, or the path of a file. */
  content: Uint8Array | string
  size: ThumbnailSize
  /** Whether to draw the cover of a music file. */
  isMusic?: boolean
}

/** A picture of the operator's logo: the logo itself, or a square icon. */
export interface LogoInput {
  content: Uint8Array
  logo: LogoShape
}

export type LogoShape = 'logo' | 'icon'

/** The order for the work process. A thumbnail's includes the path of ffmpeg, if it is installed. */
export type DrawingOrder = LogoInput | (ThumbnailInput & { ffmpeg: string | undefined })

const MEBIBYTE = 1024 * 1024
/** Node alone reserves this much of the address space that the limit counts. */
const TAKEN_BY_NODE = 688 * MEBIBYTE
/** The maximum that decoding may take, enough for large pictures and films. */
const MAX_FOR_DECODING = 848 * MEBIBYTE
/** With less memory, only one process fits beside the server. */
const ENOUGH_FOR_SEVERAL = 768 * MEBIBYTE

/**
 * Returns how many processes may draw at a time, and how much memory each may take, given the cores and bytes of this machine.
 */
export function planDrawing(cores: number, memory: number): { size: number; maxMemory: number } {
  // Half of the cores. The other half is for requests.
  const size = memory < ENOUGH_FOR_SEVERAL ? 1 : Math.max(2, Math.floor(cores / 2))
  return { size, maxMemory: TAKEN_BY_NODE + Math.min(MAX_FOR_DECODING, Math.floor(memory / 4)) }
}

/** The processor time for one thumbnail, in milliseconds. A document that needs more has none. */
const TIMEOUT = 10_000

/** Makes thumbnails of unchecked files, in processes that may crash, hang or use up their memory. */
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

  /** Returns a WebP, or undefined if this machine lacks a program for it. Rejects as the pool does. */
  make(input: ThumbnailInput, asker: Asker): Promise<Uint8Array | undefined> {
    return this.#pool.run({ ...input, ffmpeg: this.#ffmpeg }, asker)
  }

  /** Returns a PNG of a logo, which may be an SVG. Rejects as the pool does. */
  async makeLogo(content: Uint8Array, logo: LogoShape): Promise<Uint8Array> {
    const png = await this.#pool.run({ content, logo }, { group: 'logo' })
    if (!png) throw new Error('every logo is drawn')
    return png
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
