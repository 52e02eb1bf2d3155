import { buffer } from 'node:stream/consumers'
import { type ByteRange, ObjectMissingError } from './blob-store.ts'
import { readObject, type S3Bucket, type StoredObject } from './s3-bucket.ts'
import { blobName, chunkName, chunksOf, type IncompleteBlobs } from './s3-layout.ts'
import type { StagedBytes, StagingFiles } from './staging-files.ts'

/** What the S3 store is made of. */
export interface S3Connections {
  bucket: S3Bucket
  incomplete: IncompleteBlobs
  staging: StagingFiles
}

/** A chunk, and where its bytes can be read if it is not a part. */
interface FoundPiece extends Piece {
  object: string
  range: ByteRange
}

/** Small chunks are read ahead while they are gathered: this many, of up to this size. */
const AHEAD = 8
const READ_AHEAD_SIZE = 1024 * 1024

/**
 * Makes one object of the chunks of a blob. Another server may be doing the same, or a chunk may be sent again meanwhile: then the
 * parts that were found are gone and are looked up again. Doing it twice makes the same object.
 */
export async function completeOnS3(doors: S3Connections, key: string, sizes: readonly number[]): Promise<void> {
  for (let attemptsLeft = 3; attemptsLeft > 0; attemptsLeft--) {
    const incomplete = await doors.incomplete.find(key)
    const pieces = incomplete && (await findPieces(doors, key, incomplete.uploadId, sizes))
    if (!pieces) return assertSealed(doors, key, sizes)
    const isBuilt = await build(doors, key, incomplete.uploadId, pieces).catch((error: unknown) => {
      if (error instanceof ObjectMissingError) return false
      throw error
    })
    if (isBuilt) return cleanUp(doors, key)
  }
  throw new Error(`blob ${key} changed each time it was sealed`)
}

async function assertSealed({ bucket }: S3Connections, key: string, sizes: readonly number[]): Promise<void> {
  const size = sumOf(sizes)
  const stored = await bucket.find(blobName(key))
  if (stored?.size !== size) throw new Error(`blob ${key} has ${stored?.size ?? 'no'} bytes instead of ${size}`)
}

/**
 * Finds each chunk: a part, an object beside the blob, or a range of a blob that was sealed before a chunk was sent again. Chunks that
 * were sent again with another size are told apart by their size. Returns undefined if nothing is left to seal.
 */
async function findPieces(
  { bucket }: S3Connections,
  key: string,
  uploadId: string | undefined,
  sizes: readonly number[],
): Promise<FoundPiece[] | undefined> {
  const parts = uploadId === undefined ? undefined : await bucket.listParts(blobName(key), uploadId)
  const chunks = new Map<string, StoredObject>()
  for await (const page of bucket.list(chunksOf(key))) for (const chunk of page) chunks.set(chunk.name, chunk)
  const total = sumOf(sizes)
  let sealed = parts?.size ? undefined : await bucket.find(blobName(key))
  const sealedAt = sealed?.size === total ? sealed.modifiedAt : undefined
  // The remaining chunks are older than the blob: it was sealed but not cleaned up. The store's clock has whole seconds.
  const isOld = ({ modifiedAt }: StoredObject) => sealedAt !== undefined && modifiedAt < sealedAt
  if (!parts?.size && [...chunks.values()].every(isOld)) return undefined
  let offset = 0
  const pieces: FoundPiece[] = []
  for (const [index, size] of sizes.entries()) {
    const part = parts?.get(index + 1)
    const name = chunkName(key, index)
    if (part?.size === size) {
      pieces.push({ size, etag: part.etag, object: '', range: { start: 0, end: -1 } })
    } else if (chunks.get(name)?.size === size) {
      pieces.push({ size, etag: undefined, object: name, range: { start: 0, end: size - 1 } })
    } else {
      sealed ??= await bucket.find(blobName(key))
      if (sealed?.size !== total) throw new Error(`chunk ${index} of ${key} is not there with its ${size} bytes`)
      pieces.push({ size, etag: undefined, object: blobName(key), range: { start: offset, end: offset + size - 1 } })
    }
    offset += size
  }
  return pieces
}

/** Returns false if a chunk or part was missing. */
async function build(
  { bucket, incomplete, staging }: S3Connections,
  key: string,
  known: string | undefined,
  pieces: readonly FoundPiece[],
): Promise<boolean> {
  const name = blobName(key)
  const planned = planParts(pieces)
  const [only] = planned
  if (planned.length === 1 && only && !('etag' in only)) {
    return withGathered({ bucket, staging }, pieces, only, async (bytes) => {
      await bucket.put(name, bytes)
      return true
    })
  }
  let uploadId = known
  if (uploadId === undefined) {
    const started = await bucket.startUpload(name)
    uploadId = await incomplete.agreeOnUpload(key, started, undefined)
    if (uploadId !== started) await bucket.abortUpload(name, started)
  }
  const parts: { number: number; etag: string }[] = []
  for (const part of planned) {
    const etag = 'etag' in part ? part.etag : await copy(uploadId, part)
    if (etag === undefined) return false
    parts.push({ number: part.number, etag })
  }
  return bucket.finishUpload(name, uploadId, parts)

  function copy(to: string, part: GatheredPart): Promise<string | undefined> {
    return withGathered({ bucket, staging }, pieces, part, (bytes) => bucket.putPart(name, to, part.number, bytes))
  }
}

type GatheredPart = Exclude<PlannedPart, { etag: string }>

async function withGathered<T>(
  { bucket, staging }: Pick<S3Connections, 'bucket' | 'staging'>,
  pieces: readonly FoundPiece[],
  part: GatheredPart,
  work: (bytes: StagedBytes) => Promise<T>,
): Promise<T> {
  const gathered = await staging.take(readPieces(bucket, pieces.slice(part.first, part.end)), part.size)
  try {
    if (gathered.size !== part.size) throw new Error(`${gathered.size} bytes were gathered instead of ${part.size}`)
    return await work(gathered)
  } finally {
    await staging.drop(gathered)
  }
}

/** Reads several small chunks at a time, since each costs a round trip to the store. */
async function* readPieces(bucket: S3Bucket, pieces: readonly FoundPiece[]): AsyncGenerator<Buffer> {
  for (let next = 0; next < pieces.length; ) {
    const some = pieces.slice(next, next + AHEAD)
    if (some.every(({ size }) => size <= READ_AHEAD_SIZE)) {
      const reading = some.map(({ object, range }) => buffer(readObject(bucket, object, range)))
      yield* await Promise.all(reading)
      next += some.length
    } else {
      const { object, range } = pieces[next] as FoundPiece
      yield* readObject(bucket, object, range)
      next++
    }
  }
}

/** Failures are ignored: removing the blob cleans up the rest, which does no harm until then. */
async function cleanUp({ bucket, incomplete }: S3Connections, key: string): Promise<void> {
  try {
    for await (const page of bucket.list(chunksOf(key))) {
      await bucket.remove(page.map(({ name }) => name))
    }
    await incomplete.forget([key])
  } catch {}
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The minimum size of a part of a multipart upload, except the last one. */
const MIN_PART = 5 * 1024 * 1024
/** The size of parts that are gathered from smaller chunks. */
const COPIED_PART = 16 * 1024 * 1024

/** A chunk when its blob is sealed: already a part, or bytes that must become one. */
interface Piece {
  readonly size: number
  /** The ETag if the chunk is a part; undefined if its bytes must be copied. */
  readonly etag: string | undefined
}

/** A part of the blob: an existing one, or the pieces from number `first` up to `end` that make one. */
type PlannedPart =
  | { readonly number: number; readonly etag: string }
  | { readonly number: number; readonly first: number; readonly end: number; readonly size: number }

/**
 * Returns whether a chunk can be sent as a part at once. It can't if it is below the minimum size, or if the bytes before it are, since
 * those must become a part of their own.
 */
export function isPart(offset: number | undefined, size: number): boolean {
  return offset !== undefined && size >= MIN_PART && (offset === 0 || offset >= MIN_PART)
}

/**
 * Plans the parts of a blob. Pieces that are parts stay as they are; a run of others is gathered into parts of about 16 MiB, none below
 * the minimum size except the last of the blob. A part has the number of its first piece.
 */
export function planParts(pieces: readonly Piece[]): PlannedPart[] {
  const parts: PlannedPart[] = []
  for (let first = 0; first < pieces.length; ) {
    const etag = pieces[first]?.etag
    if (etag !== undefined) {
      parts.push({ number: first + 1, etag })
      first++
      continue
    }
    let runEnd = first
    while (runEnd < pieces.length && pieces[runEnd]?.etag === undefined) runEnd++
    const least = runEnd === pieces.length ? 1 : MIN_PART
    gather(pieces, { first, end: runEnd, least }, parts)
    first = runEnd
  }
  return parts
}

interface Run {
  first: number
  end: number
  /** The minimum size of the last part of the run. */
  least: number
}

function gather(pieces: readonly Piece[], run: Run, parts: PlannedPart[]): void {
  let left = pieces.slice(run.first, run.end).reduce((sum, piece) => sum + piece.size, 0)
  let { first } = run
  let size = 0
  for (let index = run.first; index < run.end; index++) {
    const piece = pieces[index]?.size ?? 0
    size += piece
    left -= piece
    if (left > 0 && (size < COPIED_PART || left < run.least)) continue
    // An empty last chunk adds no part; an empty blob is one empty part.
    if (size > 0 || parts.length === 0) parts.push({ number: first + 1, first, end: index + 1, size })
    first = index + 1
    size = 0
  }
}
