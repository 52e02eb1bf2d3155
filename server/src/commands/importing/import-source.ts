import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { assertSpaceFor } from '../../modules/items/index.ts'
import { createImportedFolder, PresentItems } from '../../modules/uploads/index.ts'
import { createBlobKey } from '../../platform/blobs/blob-store.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import type { Progress } from '../progress.ts'
import { CommitBatches, type StoredFile } from './commit-batches.ts'
import type { TransferReport } from './import-report.ts'
import { SkipError, type Source, type SourceFile, type SourcePage } from './source.ts'

/** How many files are stored at a time. Small ones share the syncs of the disk. */
const CONCURRENCY = 32

/** What did not fit into the account. */
export interface Missing {
  files: number
  bytes: number
  /** Why: over quota, or too many items. */
  error: AppError | undefined
}

interface Importing {
  ctx: UserContext
  /** The folder into which everything is imported, from the root of the drive. */
  into: readonly string[]
  report: TransferReport
  progress: Progress
  /** Aborts when the operator stops the import. */
  signal: AbortSignal
}

type Candidate = SourceFile & { readonly folders: readonly string[] }

/**
 * Imports a source into a user's drive: bytes before rows, so that a crash leaves nothing but bytes that the sweep removes. What is
 * there already, with the same size and date, is left alone, so the import can be repeated. Returns what did not fit.
 */
export function importSource(importing: Importing, source: Source): Promise<Missing> {
  return new Import(importing).run(source)
}

class Import {
  readonly #importing: Importing
  readonly #present: PresentItems
  readonly #missing: Missing = { files: 0, bytes: 0, error: undefined }
  /** The bytes of files that are being stored and not committed yet. */
  #pending = 0

  constructor(importing: Importing) {
    this.#importing = importing
    this.#present = new PresentItems(importing.ctx.db, importing.ctx.user)
  }

  async run(source: Source): Promise<Missing> {
    const { ctx, report } = this.#importing
    const batches = new CommitBatches(ctx, {
      onDone: ({ size }) => {
        this.#pending -= size
        report.done.files += 1
        report.done.bytes += size
      },
      onRefused: (file, error) => this.#refuse(file, error),
    })
    const stored = mapConcurrently(this.#candidates(source), CONCURRENCY, (file) => this.#store(file))
    try {
      for await (const file of stored) if (file) await batches.add(file)
    } finally {
      await batches.flush()
    }
    return this.#missing
  }

  /** Yields the files that are not in the drive yet, as long as they fit. */
  async *#candidates(source: Source): AsyncGenerator<Candidate> {
    const { into, report, progress, signal } = this.#importing
    for await (const page of source.pages(report.skip)) {
      const folders = [...into, ...page.folders]
      if (page.files.length === 0) await this.#createFolder(page, folders)
      const files = await this.#absent(page, folders)
      const isFree = await this.#isFree(files.reduce((sum, { size }) => sum + size, 0))
      for (const file of files) {
        if (signal.aborted) return
        if (isFree || (await this.#mayStore(file.size))) {
          this.#pending += file.size
          yield { ...file, folders }
        } else {
          this.#addMissing(file.size)
          progress.add(file.size)
        }
      }
    }
  }

  async #createFolder({ folders: shown }: SourcePage, folders: readonly string[]): Promise<void> {
    if (folders.length === 0) return
    try {
      await createImportedFolder(this.#importing.ctx, folders)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.#importing.report.skip(shown.join('/'), error.message)
    }
  }

  /** Returns the files that are not in the drive yet. */
  async #absent({ files }: SourcePage, folders: readonly string[]): Promise<SourceFile[]> {
    const { report, progress } = this.#importing
    const names = files.map(({ filename }) => filename)
    const present = await this.#present.find(folders, names)
    return files.filter((file) => {
      const item = present.get(file.filename)
      if (!item) return true
      progress.add(file.size)
      if (item.kind === 'file' && item.size === file.size && item.modified_at === file.modifiedAt) {
        report.present.files += 1
        report.present.bytes += file.size
      } else if (item.kind === 'folder') report.skip(file.origin, 'a folder with this name is there')
      else report.skip(file.origin, NAME_TAKEN)
      return false
    })
  }

  /** After the first file that does not fit, nothing is stored any more: what is left is only counted. */
  async #mayStore(size: number): Promise<boolean> {
    return this.#missing.error === undefined && (await this.#isFree(size, (error) => (this.#missing.error = error)))
  }

  /** Returns whether so many bytes fit into the account beside those that are being stored. The commit makes the final decision. */
  async #isFree(bytes: number, onFull: (error: AppError) => void = () => {}): Promise<boolean> {
    const { db, user } = this.#importing.ctx
    if (this.#missing.error) return false
    try {
      await assertSpaceFor(db, user, this.#pending + bytes)
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      onFull(error)
      return false
    }
  }

  async #store(file: Candidate): Promise<StoredFile | undefined> {
    const { ctx, report, progress } = this.#importing
    const { folders, filename, origin } = file
    const blobKey = createBlobKey()
    let counted = 0
    const onBytes = (bytes: number) => {
      counted += bytes
      progress.pass(bytes)
    }
    try {
      const { size, modifiedAt, sha256 } = await file.store(ctx.blobs, blobKey, onBytes)
      return { folders, filename, origin, blobKey, size, modifiedAt, sha256 }
    } catch (error) {
      this.#pending -= file.size
      await ctx.blobs.remove(blobKey).catch(() => {})
      if (!(error instanceof SkipError)) throw error
      report.skip(origin, error.message)
      return undefined
    } finally {
      progress.add(Math.max(file.size - counted, 0))
    }
  }

  #refuse(file: StoredFile, error: AppError): void {
    this.#pending -= file.size
    if (error.code === 'quota_exceeded' || error.code === 'item_limit') {
      this.#missing.error ??= error
      this.#addMissing(file.size)
    } else this.#importing.report.skip(file.origin, reasonOf(error))
  }

  #addMissing(size: number): void {
    this.#missing.files += 1
    this.#missing.bytes += size
  }
}

const NAME_TAKEN = 'another file with this name is there'

function reasonOf(error: AppError): string {
  return error.code === 'name_taken' ? NAME_TAKEN : error.message
}
