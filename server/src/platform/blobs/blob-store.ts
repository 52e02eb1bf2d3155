import type { Readable, Writable } from 'node:stream'

/** A part of a blob: from `start` up to and including `end`, in bytes, as HTTP counts. */
export interface ByteRange {
  start: number
  end: number
}

/** Where a chunk belongs; `offset` is undefined while the size of the chunks is not known yet. */
export interface ChunkPlace {
  index: number
  offset: number | undefined
}

/** Where a chunk belongs, and whether it is the last one: then nothing of an earlier, longer one stays behind it. */
export interface KnownPlace {
  index: number
  offset: number
  isLast?: boolean
}

/** A chunk that arrived before anything was known of it. */
export interface StagedChunk {
  readonly stagingKey: string
  readonly size: number
}

/** Raised when a chunk has more bytes than a chunk may have. */
export class ChunkTooLargeError extends Error {}

/**
 * The bytes of all files, under random keys. A blob is written chunk by chunk, sealed once, and never changes
 * afterwards. What a method has done is on stable storage when it answers.
 */
export interface BlobStore {
  /** Writes a chunk of at most `maxSize` bytes at its place, and answers its size. */
  writeChunk(key: string, place: KnownPlace, bytes: Readable, maxSize: number): Promise<number>
  /** Writes a small blob that is whole already; it needs no seal. */
  writeWhole(key: string, bytes: Uint8Array): Promise<void>
  /** The same for one of up to `maxSize` bytes as they come; answers how many came. */
  streamWhole(key: string, bytes: Readable, maxSize: number): Promise<number>
  /** Keeps the bytes of a chunk of which nothing is known yet. */
  stageChunk(bytes: Readable, maxSize: number): Promise<StagedChunk>
  /** Brings a staged chunk to its place; without an offset it is parked beside the blob. */
  placeChunk(key: string, place: ChunkPlace, chunk: StagedChunk): Promise<void>
  dropStagedChunk(chunk: StagedChunk): Promise<void>
  /** Copies a parked chunk to its place. It stays parked until `dropParkedChunk`, so that this can be done again. */
  unparkChunk(key: string, place: { index: number; offset: number }): Promise<void>
  dropParkedChunk(key: string): Promise<void>
  /** Makes a blob of the chunks that have been written, whose sizes are given in their order. May be done again. */
  seal(key: string, sizes: readonly number[]): Promise<void>
  /**
   * Streams a part of a blob into what `begin` answers, which stays open. It is asked for once there are bytes to send:
   * before, a failure can still be told. Rejects when the other side goes away.
   */
  send(key: string, range: ByteRange, begin: () => Writable): Promise<void>
  openStream(key: string): Readable
  /** The bytes of a small blob, where they are at hand without a stream; undefined of any other. */
  readSmall(key: string): Uint8Array | undefined
  /** How many bytes a blob has; undefined where it is not there. */
  sizeOf(key: string): Promise<number | undefined>
  /** Whether nothing at all lies where the blobs go, not even of somebody else's. */
  isEmpty(): Promise<boolean>
  /**
   * Lets another program have the blob: its bytes where they are few, else the path of a file, not to be changed. Of a
   * blob that is not there the path leads nowhere.
   */
  withContent<T>(key: string, work: (content: Uint8Array | string) => Promise<T>): Promise<T>
  /**
   * Where the nginx in front of us finds the blob, for `X-Accel-Redirect`: below one of the locations in `deploy/nginx`.
   * Undefined where we must send it.
   */
  internalAddress(key: string): string | undefined
  /** Removes a blob, or all that there is of one, parked and incomplete chunks included. Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /**
   * Removes what has lain here since before `olderThan` and which `findUsed` does not return. It is given keys, and for a
   * chunk that is parked beside a blob the key with an ending: `<key>.parked`.
   */
  sweep(olderThan: number, findUsed: (keys: string[]) => Promise<Set<string>>): Promise<number>
  close(): Promise<void>
}
