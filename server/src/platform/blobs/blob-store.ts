import { randomUUIDv7 } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'

/** A range of bytes from `start` to `end`, both inclusive as in HTTP. */
export interface ByteRange {
  start: number
  end: number
}

/** The place of a chunk; `offset` is undefined while the chunk size is unknown. */
export interface ChunkPlace {
  index: number
  offset: number | undefined
}

/** The place of a chunk. After the last one the blob is truncated, in case an earlier attempt was longer. */
export interface KnownPlace {
  index: number
  offset: number
  isLast?: boolean
  /** False if too few bytes precede it for a part of their own in an object store. Undefined if all chunks have the same size. */
  mayBePart?: boolean
}

/** A chunk that arrived before its upload was known. */
export interface StagedChunk {
  readonly stagingKey: string
  readonly size: number
}

/**
 * Bytes of up to this size are collected in memory and written with `writeWhole`: on a disk, they take less processor time than a
 * file of their own (`small-blobs.ts`).
 */
export const MAX_COLLECTED = 128 * 1024

/** Thrown when a chunk exceeds the maximum size. */
export class ChunkTooLargeError extends Error {}

/**
 * Stores the bytes of all files under random keys. A blob is written chunk by chunk, sealed once, and never changes afterwards.
 * When a method resolves, its changes are on stable storage.
 */
export interface BlobStore {
  /** Writes a chunk of at most `maxSize` bytes at its place and returns its size. */
  writeChunk(key: string, place: KnownPlace, bytes: Readable, maxSize: number): Promise<number>
  /** Writes a complete small blob, which needs no sealing. */
  writeWhole(key: string, bytes: Uint8Array): Promise<void>
  /** Throws 'storage full' if so many bytes would not fit. Nothing is reserved. */
  assertFits(bytes: number): Promise<void>
  /** Writes a complete blob of up to `maxSize` bytes from a stream and returns its size. */
  streamWhole(key: string, bytes: Readable, maxSize: number): Promise<number>
  /**
   * Writes a complete blob that is a copy of a file, and returns its size. A disk shares the bytes with the file if its file system
   * can. `onBytes` is called with the progress.
   */
  copyFile(key: string, source: string, size: number, onBytes: (bytes: number) => void): Promise<number>
  /** Writes a blob to a new file of another program, and returns its size. A disk shares the bytes if its file system can. */
  copyTo(key: string, target: string, onBytes: (bytes: number) => void): Promise<number>
  /** Stores the bytes of a chunk whose upload is not known yet. */
  stageChunk(bytes: Readable, maxSize: number): Promise<StagedChunk>
  /** Moves a staged chunk to its place; without an offset it is parked beside the blob. */
  placeChunk(key: string, place: ChunkPlace, chunk: StagedChunk): Promise<void>
  dropStagedChunk(chunk: StagedChunk): Promise<void>
  /** Copies a parked chunk to its place. It stays parked until `dropParkedChunk`, so that this can be repeated. */
  unparkChunk(key: string, place: { index: number; offset: number }): Promise<void>
  dropParkedChunk(key: string): Promise<void>
  /** Makes a blob of the written chunks, given their sizes in order. Can be repeated, and does nothing to a blob that was written whole. */
  seal(key: string, sizes: readonly number[]): Promise<void>
  /**
   * Streams a range of a blob into the stream that `begin` returns, and leaves it open. `begin` is called when there are bytes to
   * send, so that earlier failures can still be reported. Rejects when the reader disconnects.
   */
  send(key: string, range: ByteRange, begin: () => Writable): Promise<void>
  openStream(key: string): Readable
  /** Returns the bytes of a small blob if they can be read without a stream, else undefined. */
  readSmall(key: string): Uint8Array | undefined
  /** Returns the size of a blob, or undefined if it is missing. */
  sizeOf(key: string): Promise<number | undefined>
  /** Returns whether the store is empty, other programs' files included. */
  isEmpty(): Promise<boolean>
  /**
   * Passes a blob to another program: its bytes if they are few, else the path of a file, which must not be changed. For a missing
   * blob the path doesn't exist.
   */
  withContent<T>(key: string, work: (content: Uint8Array | string) => Promise<T>): Promise<T>
  /**
   * Returns the address of a blob for `X-Accel-Redirect`, below one of the locations in `deploy/nginx`, or undefined if the server
   * must send it itself.
   */
  internalAddress(key: string): string | undefined
  /** Removes a blob, including parked and incomplete chunks. Removing a missing blob is no error. */
  remove(key: string): Promise<void>
  /**
   * Removes everything that is older than `olderThan` and that `findUsed` doesn't return. `findUsed` gets keys, and `<key>.parked`
   * for a chunk that is parked beside a blob.
   */
  sweep(olderThan: number, findUsed: (keys: string[]) => Promise<Set<string>>): Promise<number>
  close(): Promise<void>
}

/** Thrown by stores of objects when an object is missing. */
export class ObjectMissingError extends Error {}

/** Returns a new key for a blob. Keys rise with time, so that blobs that arrive together are stored together. */
export function createBlobKey(): string {
  return randomUUIDv7()
}

/** Returns a key that is greater than all keys created before a time in milliseconds since 1970 (RFC 9562, section 5.7). */
export function keyAt(time: number): string {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
