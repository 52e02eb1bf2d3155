interface Waiting {
  key: string
  resolve: () => void
  reject: (error: unknown) => void
}

/** Gathers what is removed at about the same time, so that one request removes many. */
export class RemovalBatcher {
  readonly #max: number
  readonly #removeAll: (keys: string[]) => Promise<void>
  #waiting: Waiting[] = []

  constructor(max: number, removeAll: (keys: string[]) => Promise<void>) {
    this.#max = max
    this.#removeAll = removeAll
  }

  /** Resolves when the key has been removed with the others. */
  remove(key: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    if (this.#waiting.length === 0) setImmediate(() => this.#removeNext())
    this.#waiting.push({ key, resolve, reject })
    return promise
  }

  #removeNext(): void {
    const some = this.#waiting.splice(0, this.#max)
    if (this.#waiting.length > 0) setImmediate(() => this.#removeNext())
    this.#removeAll(some.map(({ key }) => key)).then(
      () => {
        for (const { resolve } of some) resolve()
      },
      (error: unknown) => {
        for (const { reject } of some) reject(error)
      },
    )
  }
}
