import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { commitImported, type ImportedFile } from '../../modules/uploads/index.ts'

/** Files whose bytes are stored wait for a transaction until there are this many, or for this long. In bytes and milliseconds. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_AGE = 2000

/** On SQLite nobody else can write during a transaction, so the number of files in one follows from its duration. In milliseconds. */
const [SHORT, LONG] = [12, 30]
const [MIN_FILES, MAX_FILES] = [8, 400]

/** A file to commit, and how it is called in the report. */
export interface StoredFile extends ImportedFile {
  readonly origin: string
}

interface Outcome {
  onDone(file: StoredFile): void
  onRefused(file: StoredFile, error: AppError): void
}

/** Commits stored files, many in one transaction. The bytes of refused files are removed. */
export class CommitBatches {
  readonly #ctx: UserContext
  readonly #outcome: Outcome
  #files: StoredFile[] = []
  #bytes = 0
  #startedAt = 0
  #maxFiles = 100

  constructor(ctx: UserContext, outcome: Outcome) {
    this.#ctx = ctx
    this.#outcome = outcome
  }

  async add(file: StoredFile): Promise<void> {
    if (this.#files.length === 0) this.#startedAt = performance.now()
    this.#files.push(file)
    this.#bytes += file.size
    const isFull = this.#files.length >= this.#maxFiles || this.#bytes >= MAX_BYTES
    if (isFull || performance.now() - this.#startedAt >= MAX_AGE) await this.flush()
  }

  /** Commits all files that wait. */
  async flush(): Promise<void> {
    const files = this.#files
    this.#files = []
    this.#bytes = 0
    if (files.length > 0) await this.#commit(files)
  }

  async #commit(files: StoredFile[]): Promise<void> {
    const start = performance.now()
    let refused: Map<ImportedFile, AppError>
    try {
      refused = await commitImported(this.#ctx, files)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return this.#commitParts(files, error)
    }
    this.#adapt(files.length, performance.now() - start)
    for (const file of files) {
      const refusal = refused.get(file)
      if (refusal) await this.#refuse(file, refusal)
      else this.#outcome.onDone(file)
    }
  }

  /** Not all of the files fit, but some may. */
  async #commitParts(files: StoredFile[], error: AppError): Promise<void> {
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
    if (duration > LONG) this.#maxFiles = Math.max(Math.floor(files / 2), MIN_FILES)
    else if (duration < SHORT && files >= this.#maxFiles) this.#maxFiles = Math.min(files * 2, MAX_FILES)
  }
}
