import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { type Committed, commitImported, type ImportedFile } from '../../modules/uploads/index.ts'

/** Files whose bytes are stored wait for a transaction until there are this many, or for this long. In bytes and milliseconds. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_AGE = 2000

/** Others can't change anything meanwhile, so the number of files in a transaction follows from its duration. In milliseconds. */
const TARGET = 10
const [MIN_FILES, MAX_FILES] = [50, 400]

/** A file to commit, and how it is called in the report. */
export interface StoredFile extends ImportedFile {
  readonly origin: string
}

interface Outcome {
  onDone(file: StoredFile): void
  onRefused(file: StoredFile, error: AppError): void
}

/**
 * Commits stored files, many in one transaction, while more are stored. The bytes of refused files are removed.
 */
export class CommitBatches {
  readonly #ctx: UserContext
  readonly #outcome: Outcome
  #files: StoredFile[] = []
  #bytes = 0
  #startedAt = 0
  #maxFiles = 100
  /** The transaction that runs. Two of one user would share one, which would take twice as long. */
  #committing: Promise<void> = Promise.resolve()

  constructor(ctx: UserContext, outcome: Outcome) {
    this.#ctx = ctx
    this.#outcome = outcome
  }

  /** Adds a file. Waits only if enough other files wait for a transaction that still runs. */
  async add(file: StoredFile): Promise<void> {
    if (this.#files.length === 0) this.#startedAt = performance.now()
    this.#files.push(file)
    this.#bytes += file.size
    const isFull = this.#files.length >= this.#maxFiles || this.#bytes >= MAX_BYTES
    if (isFull || performance.now() - this.#startedAt >= MAX_AGE) await this.#begin()
  }

  /** Commits all files that wait. */
  async flush(): Promise<void> {
    await this.#begin()
    await this.#committing
  }

  /** Begins to commit the files that wait, after those before them. Throws if these could not be committed. */
  async #begin(): Promise<void> {
    await this.#committing
    const files = this.#files
    this.#files = []
    this.#bytes = 0
    if (files.length === 0) return
    this.#committing = this.#commit(files)
    // Who waits for it next gets the failure.
    this.#committing.catch(() => {})
  }

  async #commit(files: readonly StoredFile[]): Promise<void> {
    for (let rest = files; rest.length > 0; ) {
      let committed: Committed
      try {
        committed = await commitImported(this.#ctx, rest, TARGET)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return this.#commitParts(rest, error)
      }
      const { refused, left, heldFor } = committed
      this.#adapt(rest.length - left.length, heldFor)
      const isLeft = new Set(left)
      for (const file of rest) {
        const refusal = refused.get(file)
        if (refusal) await this.#refuse(file, refusal)
        else if (!isLeft.has(file)) this.#outcome.onDone(file)
      }
      rest = rest.filter((file) => isLeft.has(file))
    }
  }

  /** Not all of the files fit, but some may. */
  async #commitParts(files: readonly StoredFile[], error: AppError): Promise<void> {
    if (files.length === 1) return this.#refuse(files[0] as StoredFile, error)
    const half = Math.ceil(files.length / 2)
    await this.#commit(files.slice(0, half))
    await this.#commit(files.slice(half))
  }

  async #refuse(file: StoredFile, error: AppError): Promise<void> {
    await this.#ctx.blobs.remove(file.blobKey)
    this.#outcome.onRefused(file, error)
  }

  #adapt(files: number, duration: number): void {
    const factor = Math.min(Math.max(TARGET / duration, 0.5), 2)
    // A transaction of fewer files says little about a larger one.
    if (factor > 1 && files < this.#maxFiles) return
    this.#maxFiles = Math.min(Math.max(Math.round(files * factor), MIN_FILES), MAX_FILES)
  }
}
