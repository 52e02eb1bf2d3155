import { describeSize } from '../modules/items/index.ts'

/** The time between two lines, in milliseconds. */
const INTERVAL = 5000

/** Prints the progress of a command through a number of blobs every few seconds. */
export class Progress {
  readonly #what: string
  readonly #total: { blobs: number; bytes: number }
  readonly #tell: (line: string) => void
  #printedAt = performance.now()
  #blobs = 0
  #bytes = 0

  constructor(what: string, total: { blobs: number; bytes: number }, tell: (line: string) => void) {
    this.#what = what
    this.#total = total
    this.#tell = tell
  }

  /** Counts a blob as done, with bytes that were not counted yet. */
  add(bytes: number): void {
    this.#blobs += 1
    this.pass(bytes)
  }

  /** Counts bytes within a blob, because a large blob takes longer than the time between two lines. */
  pass(bytes: number): void {
    this.#bytes += bytes
    if (performance.now() - this.#printedAt < INTERVAL) return
    this.#printedAt = performance.now()
    const { blobs, bytes: all } = this.#total
    this.#tell(`${this.#what}: ${this.#blobs} of ${blobs} blobs, ${describeSize(this.#bytes)} of ${describeSize(all)}`)
  }
}
