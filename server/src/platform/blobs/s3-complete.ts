import { buffer } from 'node:stream/consumers'
import type { ByteRange } from './blob-store.ts'
import type { IncompleteBlobs } from './incomplete-blobs.ts'
import { type Piece, type PlannedPart, planParts } from './plan-parts.ts'
import type { S3Bucket, StoredObject } from './s3-bucket.ts'
import { blobName, chunkName, chunksOf } from './s3-names.ts'
import { ObjectMissingError, readObject } from './s3-reader.ts'
import type { StagedBytes, StagingFiles } from './staging-files.ts'

/** What the S3 store stands on. */
export interface S3Connections {
  bucket: S3Bucket
  incomplete: IncompleteBlobs
  staging: StagingFiles
}

/** A chunk, and where its bytes can be read unless it is a part. */
interface FoundPiece extends Piece {
  object: string
  range: ByteRange
}

/** So many chunks are read ahead while they are gathered, where they are no larger than this. */
const AHEAD = 8
const READ_AHEAD_SIZE = 1024 * 1024

/**
 * Makes one object of the chunks of a blob. Another server may be doing the same, or a chunk may just be sent again:
 * then what was found is not there any more, and is looked for anew. Done twice, it is the same object.
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
 * Where each chunk is: a part, or an object beside the blob, or already in a blob that was sealed before and had a chunk
 * sent again. Chunks that were sent again with another size lie there too, which the sizes tell apart. Undefined where
 * nothing is left to be sealed.
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
  // What is left is older than the blob: it was sealed, and only not cleaned up. The store's clock counts seconds.
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

/** False where something was not there any more. */
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

/** Small ones several at a time, since each costs a way to the store and back. */
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

/** What fails here is done when the blob is removed: until then it does no harm. */
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
