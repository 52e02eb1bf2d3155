import { AppError } from '../../errors.ts'

/** Counts what each caller has under way in this process, and refuses what is too much at once. */
export class ConcurrencyLimiter {
  readonly #max: number
  readonly #counts = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** Begins one more, and gives what ends it, to be called once; throws 'too many' where a caller has as many as there may be. */
  enter(caller: string): () => void {
    const count = this.#counts.get(caller) ?? 0
    if (count >= this.#max) {
      throw new AppError(
        'too_many_requests',
        `${this.#max} of your downloads of folders are under way. Please try again when one of them has ended.`,
        { retryAfterSeconds: 60 },
      )
    }
    this.#counts.set(caller, count + 1)
    return () => {
      const left = (this.#counts.get(caller) ?? 1) - 1
      if (left > 0) this.#counts.set(caller, left)
      else this.#counts.delete(caller)
    }
  }
}
