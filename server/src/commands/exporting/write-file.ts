import { link, lstat, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BlobStore, ObjectMissingError } from '../../platform/blobs/blob-store.ts'
import { type OnBytes, SkipError } from '../importing/source.ts'

/** A stored file and the path that it gets. */
export interface FileToWrite {
  readonly path: string
  readonly id: string
  readonly blobKey: string
  readonly size: number
  readonly modifiedAt: number
}

/** Some file systems store dates in steps of two seconds. */
const DATE_STEP = 2000

const NAME_TAKEN = 'another file with this name is there'

/** Writes a file, unless it is there already, and returns whether it did. Throws a `SkipError` if it can't. Never replaces anything. */
export async function writeFile(blobs: BlobStore, file: FileToWrite, onBytes: OnBytes): Promise<boolean> {
  const { path, id, blobKey, size, modifiedAt } = file
  if (await isThere(file)) return false
  // Under this name a killed export leaves it, and the next one begins again.
  const partial = join(dirname(path), `.alcove-export-${id}.part`)
  await writing(() => rm(partial, { force: true }))
  try {
    const written = await reading(() => blobs.copyTo(blobKey, partial, onBytes))
    if (written !== size) throw new SkipError('its stored bytes are damaged')
    // A microsecond later, because the system would round some dates down to the millisecond before.
    const seconds = (modifiedAt + 0.001) / 1000
    await writing(() => utimes(partial, seconds, seconds))
    await writing(() => giveName(partial, path))
    return true
  } finally {
    await rm(partial, { force: true })
  }
}

async function isThere({ path, size, modifiedAt }: FileToWrite): Promise<boolean> {
  const found = await writing(() => lstat(path).catch(undefinedIfMissing))
  if (!found) return false
  const isSame = found.isFile() && found.size === size && Math.abs(found.mtimeMs - modifiedAt) <= DATE_STEP
  if (isSame) return true
  throw new SkipError(NAME_TAKEN)
}

/** A file system without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Unlike a rename, a link never replaces a file. */
async function giveName(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path)
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error
    await rename(partial, path)
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

/** The disk is full or fails: that concerns all files. */
const FATAL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

const REASONS: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'its name or path is too long for the file system',
  EINVAL: "the file system can't store its name",
  EILSEQ: "the file system can't store its name",
  EEXIST: NAME_TAKEN,
  ENOTDIR: NAME_TAKEN,
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EFBIG: 'it is too large for the file system',
}

/** Runs something that writes into the folder. Throws a `SkipError` if only this path is concerned. */
export async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = REASONS[codeOf(error)]
    if (reason !== undefined) throw new SkipError(reason)
    throw error
  }
}

/** Copies a blob. What isn't an error of the target is one of the stored bytes. */
async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await writing(work)
  } catch (error) {
    if (error instanceof SkipError || FATAL.has(codeOf(error))) throw error
    if (codeOf(error) === 'ENOENT' || error instanceof ObjectMissingError) {
      throw new SkipError('its stored bytes are missing')
    }
    throw error
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code)
}
