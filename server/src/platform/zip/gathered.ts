/** Gathers small pieces to be handed on as few large ones. */
export class Gathered {
  #pieces: Uint8Array[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#size += piece.length
  }

  /** All of it as one; nothing is left. */
  take(): Uint8Array {
    const [first] = this.#pieces
    const all = first && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces, this.#size)
    this.#pieces = []
    this.#size = 0
    return all
  }
}
