import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { BlobArchive } from '../../platform/blobs/blob-archive.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { isMissing } from '../checks/read-digest.ts'
import type { Progress } from '../progress.ts'
import { workAhead } from '../work-ahead.ts'
import type { NamedBlob } from './copy-blobs.ts'

interface PuttingBack {
  blobs: BlobStore
  archive: BlobArchive
  progress: Progress
}

const AT_ONCE = 8
const SMALL = 64 * 1024
/** A store takes a large blob in pieces, at most 10,000 of them. */
const PIECE = 32 * 1024 * 1024
const MOST_PIECES = 10_000

/** Writes every blob into the store, compared on the way; answers the keys of those that are not what was stored. */
export async function putBlobsBack(putting: PuttingBack, named: AsyncIterable<NamedBlob>): Promise<string[]> {
  const lost: string[] = []
  for await (const { key, isWhole } of workAhead(named, AT_ONCE, (blob) => putBlobBack(putting, blob))) {
    if (!isWhole) lost.push(key)
  }
  return lost
}

async function putBlobBack({ blobs, archive, progress }: PuttingBack, blob: NamedBlob) {
  progress.add(blob.size)
  const { key } = blob
  try {
    const bytes = archive.openStream(key)
    const sha256 = blob.size <= SMALL ? await putSmall(blobs, key, bytes) : await putLarge(blobs, blob, bytes)
    if (sha256 === blob.sha256) return { key, isWhole: true }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  await blobs.remove(key)
  return { key, isWhole: false }
}

async function putSmall(blobs: BlobStore, key: string, bytes: Readable): Promise<string> {
  const content = await buffer(bytes)
  await blobs.writeWhole(key, content)
  return createHash('sha256').update(content).digest('hex')
}

async function putLarge(blobs: BlobStore, { key, size }: NamedBlob, bytes: Readable): Promise<string | undefined> {
  const digest = createHash('sha256')
  const takePiece = cutIntoPieces(bytes, (taken) => digest.update(taken))
  try {
    if (size <= PIECE) {
      await blobs.streamWhole(key, takePiece(size), size)
      return digest.digest('hex')
    }
    const pieceSize = Math.max(PIECE, Math.ceil(size / MOST_PIECES))
    const sizes: number[] = []
    for (let offset = 0; offset < size; offset += pieceSize) {
      const length = Math.min(pieceSize, size - offset)
      const place = { index: sizes.length, offset }
      // The backup's blob is shorter than it was.
      if ((await blobs.writeChunk(key, place, takePiece(length), length)) < length) return undefined
      sizes.push(length)
    }
    await blobs.seal(key, sizes)
    return digest.digest('hex')
  } finally {
    bytes.destroy()
  }
}

/** Takes a stream apart: each call is a stream of the next so many bytes. */
function cutIntoPieces(bytes: Readable, onTaken: (taken: Buffer) => void): (length: number) => Readable {
  const chunks = (bytes as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let rest: Buffer | undefined
  async function* take(length: number) {
    for (let wanted = length; wanted > 0; ) {
      const chunk = rest ?? (await chunks.next()).value
      if (chunk === undefined) return
      const taken = chunk.subarray(0, wanted)
      rest = chunk.length > wanted ? chunk.subarray(wanted) : undefined
      wanted -= taken.length
      onTaken(taken)
      yield taken
    }
  }
  return (length) => Readable.from(take(length), { objectMode: false })
}
