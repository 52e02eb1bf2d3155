import type { Readable } from 'node:stream'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'

/** A file to be imported. */
export interface SourceFile {
  /** Its name in the drive. */
  readonly filename: string
  /** Where it is, for the report. */
  readonly origin: string
  readonly size: number
  readonly modifiedAt: number
  /** Opens it for reading. */
  open(): Promise<Readable>
  /** Stores its bytes. Throws a `SkipError` if it can't be read. */
  store(blobs: BlobStore, blobKey: string, onBytes: OnBytes): Promise<StoredSource>
}

export type OnBytes = (bytes: number) => void

/** What was stored: the file may have changed since it was listed. */
export interface StoredSource {
  readonly size: number
  readonly modifiedAt: number
  /** Null if it is computed later. */
  readonly sha256: string | null
}

/** Some files of one folder. A folder with many has several pages. */
export interface SourcePage {
  /** The names of the folders around them in the drive, from the folder into which everything is imported. */
  readonly folders: readonly string[]
  readonly files: readonly SourceFile[]
}

/** Something can't be imported. The message is the reason, as the report says it. */
export class SkipError extends Error {}

/** Is called with what can't be imported, and why. */
export type OnSkip = (origin: string, reason: string) => void

/** What is to be imported. It is listed twice: first to count it. */
export interface Source {
  pages(onSkip: OnSkip): Iterable<SourcePage> | AsyncIterable<SourcePage>
  close?(): Promise<void>
}
