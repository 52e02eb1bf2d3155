/**
 * Gathers small pieces to be handed on as few large ones. Each is copied to its place at once, so that none of them is
 * held any longer.
 */
export class ChunkBatcher {
  readonly #room: number
  #bytes: Buffer | undefined
  #size = 0

  /** `room` is how many bytes will come together, as far as is known. */
  constructor(room: number) {
    this.#room = room
  }

  get size(): number {
    return this.#size
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.length
    if (!this.#bytes || size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#room, size))
      this.#bytes?.copy(larger, 0, 0, this.#size)
      this.#bytes = larger
    }
    this.#bytes.set(piece, this.#size)
    this.#size = size
  }

  /** All of it as one; nothing is left. */
  take(): Uint8Array {
    const all = this.#bytes?.subarray(0, this.#size) ?? new Uint8Array()
    this.#bytes = undefined
    this.#size = 0
    return all
  }
}
