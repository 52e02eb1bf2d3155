import { createHash, hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { MAX_FILE_DATE, MAX_FILE_SIZE, MAX_SMALL_FILE } from '@alcove/contract/limits'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { type OnBytes, type OnSkip, SkipError, type SourceFile, type StoredSource } from '../source.ts'

/** A file in an archive, with the names of its path. */
export type ArchivedFile = SourceFile & { readonly names: readonly string[] }

/** The kind of a file in the attributes of Unix: a symbolic link. */
const [KIND, LINK] = [0o170000, 0o120000]

/**
 * Lists the files of a ZIP archive, which stays open. The library refuses names that lead out of the archive, and bytes that are more
 * than the archive says, so a small archive can't fill the disk unseen.
 */
export async function listZip(path: string, onSkip: OnSkip): Promise<ArchivedFile[]> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true })
  const files: ArchivedFile[] = []
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    const problem = problemOf(entry)
    if (problem === undefined) files.push(fileOf(zip, entry))
    else onSkip(entry.fileName, problem)
  }
  return files
}

function problemOf(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return 'it is encrypted'
  if (!entry.canDecodeFileData()) return 'it is compressed by an unknown method'
  if (((entry.externalFileAttributes >>> 16) & KIND) === LINK) return 'symbolic links are not imported'
  return entry.uncompressedSize > MAX_FILE_SIZE ? 'it is too large' : undefined
}

function fileOf(zip: ZipFile, entry: Entry): ArchivedFile {
  const names = entry.fileName.normalize('NFC').split('/')
  const size = entry.uncompressedSize
  const modifiedAt = Math.min(Math.max(entry.getLastModDate().getTime() || 0, 0), MAX_FILE_DATE)
  const open = () => zip.openReadStreamPromise(entry)
  return {
    names,
    filename: names.at(-1) as string,
    origin: entry.fileName,
    size,
    modifiedAt,
    open,
    store: (blobs, blobKey, onBytes) => storeStream({ open, size, modifiedAt }, blobs, blobKey, onBytes),
  }
}

/** Stores the bytes of a stream. Throws a `SkipError` if they are damaged. */
async function storeStream(
  { open, size, modifiedAt }: Pick<SourceFile, 'open' | 'size' | 'modifiedAt'>,
  blobs: BlobStore,
  blobKey: string,
  onBytes: OnBytes,
): Promise<StoredSource> {
  const stream = await open().catch(throwDamaged)
  if (size <= MAX_SMALL_FILE) {
    const content = await buffer(stream).catch(throwDamaged)
    if (content.length !== size) throw new SkipError('it is damaged in the archive')
    // Its memory is handed to another thread.
    await blobs.writeWhole(blobKey, new Uint8Array(content))
    onBytes(size)
    return { size, modifiedAt, sha256: hash('sha256', content) }
  }
  const sha256 = createHash('sha256')
  let damage: unknown
  async function* measured() {
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        sha256.update(chunk)
        onBytes(chunk.length)
        yield chunk
      }
    } catch (error) {
      damage = error
      throw error
    }
  }
  try {
    const stored = await blobs.streamWhole(blobKey, Readable.from(measured(), { objectMode: false }), size)
    if (stored !== size) throw new SkipError('it is damaged in the archive')
  } catch (error) {
    if (damage !== undefined) throwDamaged(damage)
    throw error
  }
  return { size, modifiedAt, sha256: sha256.digest('hex') }
}

function throwDamaged(error: unknown): never {
  throw new SkipError(`it is damaged in the archive (${(error as Error).message})`)
}
