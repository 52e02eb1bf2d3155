import { createCipheriv, createHash } from 'node:crypto'

/** Pseudorandom numbers from a seed (mulberry32), so that a failure can be repeated. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 to 1, excluding 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns an integer from `least` to `max`. */
  between(least: number, max: number): number {
    return least + Math.floor(this.fraction() * (max - least + 1))
  }

  isOnce(inHowMany: number): boolean {
    return this.between(1, inHowMany) === 1
  }

  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)] as T
  }

  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, at: this.fraction() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value)
  }

  /** Returns an independent generator. Numbers taken from this one later don't affect it. */
  fork(): Random {
    return new Random(this.between(0, 2 ** 32 - 1))
  }
}

/** Describes the bytes of a file by two numbers, so that they don't need to be stored. */
export interface Content {
  readonly number: number
  readonly size: number
}

/** Returns the bytes: the key stream of a cipher, which looks random and is always the same. */
export function bytesOf({ number, size }: Content): Buffer<ArrayBuffer> {
  const key = Buffer.alloc(16)
  key.writeUInt32BE(number)
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size)) as Buffer<ArrayBuffer>
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
