import { type Asker, ProcessPool } from '../processes/process-pool.ts'
import type { MediaFormat } from './media-format.ts'

/** What a piece of music or a video says of itself. */
export interface Tags {
  title: string | null
  artist: string | null
  album: string | null
  track: number | null
  /** Seconds. */
  duration: number | null
  hasCover: boolean
}

/** What a film, or a piece of music, is made of: what decides whether browsers play it. */
export interface Streams {
  format: MediaFormat
  /** As ffmpeg names them; undefined where there is none. */
  video?: string | undefined
  audio?: string | undefined
  pixels?: string | undefined
  /** Of the video, in points. */
  height?: number | undefined
  /**
   * Seconds: where its pictures can be cut to be copied. Empty where they cannot; undefined where that was not looked for,
   * which takes as long as reading all of it.
   */
  cuts?: number[] | undefined
}

export interface MediaReading extends Tags {
  /** 'none': it is neither film nor sound of a kind that we make playable. Undefined where there is nothing to find that out with. */
  streams: Streams | 'none' | undefined
}

/** What the process is told. */
export interface ReadingOrder {
  /** The bytes, or the path of a file with them. */
  content: Uint8Array | string
  ffprobe: string | undefined
  /** Also where it can be cut: nobody waits for the response. */
  isThorough: boolean
}

const MEBIBYTE = 1024 * 1024

/** Reads what media say of themselves, from files that nobody has checked: in a process that may crash, hang or swell. */
export class MediaReader {
  readonly #pool: ProcessPool<ReadingOrder, MediaReading>
  readonly #ffprobe: string | undefined

  constructor(ffprobe?: string) {
    this.#ffprobe = ffprobe
    this.#pool = new ProcessPool({
      script: new URL('./media-process.ts', import.meta.url),
      // One for the regular work, one for who has just clicked.
      size: 2,
      maxWaiting: 100,
      // What it asks ffprobe has bounds of its own, which are shorter together.
      timeout: 90_000,
      maxMemory: 1280 * MEBIBYTE,
      maxCpu: 900,
    })
  }

  /** Whether it can be told what films are made of. */
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
