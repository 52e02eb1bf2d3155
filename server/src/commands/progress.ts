import { describeSize } from '../modules/items/index.ts'

const EVERY = 5000

/** How far through a number of blobs a command is: tells it every few seconds. */
export class Progress {
  readonly #what: string
  readonly #total: { blobs: number; bytes: number }
  readonly #tell: (line: string) => void
  #told = performance.now()
  #blobs = 0
  #bytes = 0

  constructor(what: string, total: { blobs: number; bytes: number }, tell: (line: string) => void) {
    this.#what = what
    this.#total = total
    this.#tell = tell
  }

  /** A blob is done, with bytes that have not been counted on their way. */
  add(bytes: number): void {
    this.#blobs += 1
    this.pass(bytes)
  }

  /** Bytes have gone through: a large blob takes longer than the time between two lines. */
  pass(bytes: number): void {
    this.#bytes += bytes
    if (performance.now() - this.#told < EVERY) return
    this.#told = performance.now()
    const { blobs, bytes: all } = this.#total
    this.#tell(`${this.#what}: ${this.#blobs} of ${blobs} blobs, ${describeSize(this.#bytes)} of ${describeSize(all)}`)
  }
}
