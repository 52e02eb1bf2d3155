import type { Readable } from 'node:stream'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { OnBytes, OnSkip, StoredSource } from '../source.ts'

/** A file of a part, and where the part finds it again. */
export interface PlacedFile {
  readonly place: string
  readonly size: number
  readonly modifiedAt: number
}

export interface ListedFile extends PlacedFile {
  /** The names of its path. */
  readonly names: readonly string[]
  /** Where it is, for the report. */
  readonly origin: string
  /** Its SHA-256, if listing reads its bytes anyway. */
  readonly digest?: string
  /** Reads a small file, before the next one is listed. */
  read(): Promise<Buffer>
}

/** One of the archives of a Takeout, or a folder into which some were extracted. It remembers none of its files. */
export interface TakeoutPart {
  /** Lists the files. `onBytes` is called with the bytes that are read meanwhile. */
  list(onSkip: OnSkip, onBytes: OnBytes): AsyncIterable<ListedFile>
  /** Opens a file for reading. Not for parts that list digests. */
  open(file: PlacedFile): Promise<Readable>
  /** Stores the bytes of a file. Fast if the files are stored in the order in which they were listed. Throws a `SkipError`. */
  store(file: PlacedFile, blobs: BlobStore, blobKey: string, onBytes: OnBytes): Promise<StoredSource>
  close(): Promise<void>
}

/** Archives that expand more than this are refused, once they exceed the size. Photos and mails expand by less than 10. */
const [MAX_RATIO, ALWAYS_ALLOWED] = [200, 256 * 1024 ** 2]

/** Returns whether an archive was made to fill disks. */
export function expandsTooFar(compressed: number, expanded: number): boolean {
  return expanded > ALWAYS_ALLOWED && expanded > compressed * MAX_RATIO
}

export const EXPANDS_TOO_FAR = `it expands to more than ${MAX_RATIO} times its size, like an archive that is made to fill disks`
