/** Numbers that look random and are the same for the same seed (mulberry32), so that a failure can be repeated. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `least` to `most`. */
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

  /** Another row of numbers, which does not depend on how many have been taken of this one later. */
  fork(): Random {
    return new Random(this.between(0, 2 ** 32 - 1))
  }
}
