import { type Asker, ProcessPool } from '../processes/process-pool.ts'
import type { MediaFormat } from './media-format.ts'

/** The tags of a music file or video. */
export interface Tags {
  title: string | null
  artist: string | null
  album: string | null
  track: number | null
  /** Seconds. */
  duration: number | null
  hasCover: boolean
}

/** The streams of a media file, which decide whether browsers play it. */
export interface Streams {
  format: MediaFormat
  /** ffmpeg's names; undefined if there is no such stream. */
  video?: string | undefined
  audio?: string | undefined
  pixels?: string | undefined
  /** The size of the video in pixels. */
  height?: number | undefined
  /**
   * Seconds at which the video can be cut without encoding. Empty if it can't be cut; undefined if that was not looked for,
   * which takes as long as reading the whole file.
   */
  cuts?: number[] | undefined
}

export interface MediaReading extends Tags {
  /** 'none' if it isn't a film or sound that can be made playable. Undefined if ffprobe is missing. */
  streams: Streams | 'none' | undefined
}

/** The order for the work process. */
export interface ReadingOrder {
  /** The bytes, or the path of a file. */
  content: Uint8Array | string
  ffprobe: string | undefined
  /** Whether to find the cuts too, when nobody waits for the response. */
  isThorough: boolean
}

const MEBIBYTE = 1024 * 1024

/** Reads the metadata of unchecked media files, in a process that may crash, hang or use up its memory. */
export class MediaReader {
  readonly #pool: ProcessPool<ReadingOrder, MediaReading>
  readonly #ffprobe: string | undefined

  constructor(ffprobe?: string) {
    this.#ffprobe = ffprobe
    this.#pool = new ProcessPool({
      script: new URL('./media-process.ts', import.meta.url),
      // One for scheduled jobs, one for requests.
      size: 2,
      maxWaiting: 100,
      // ffprobe has limits of its own, which are shorter together.
      timeout: 90_000,
      maxMemory: 1280 * MEBIBYTE,
      maxCpu: 900,
    })
  }

  /** Whether streams can be read: ffprobe is installed. */
  get canProbe(): boolean {
    return this.#ffprobe !== undefined
  }

  /** Rejects as the pool does. */
  read(content: Uint8Array | string, isThorough: boolean, asker: Asker): Promise<MediaReading> {
    return this.#pool.run({ content, ffprobe: this.#ffprobe, isThorough }, asker)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
