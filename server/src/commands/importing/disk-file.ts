import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs'
import { MAX_FILE_DATE, MAX_FILE_SIZE, MAX_SMALL_FILE } from '@alcove/contract/limits'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { type OnBytes, SkipError, type StoredSource } from './source.ts'

interface Storing {
  path: string
  blobs: BlobStore
  blobKey: string
  onBytes: OnBytes
}

/** Stores a copy of a file of this machine. Throws a `SkipError` if it can't be read, or changes meanwhile. */
export async function storeDiskFile({ path, blobs, blobKey, onBytes }: Storing): Promise<StoredSource> {
  const { file, stats } = openFile(path)
  try {
    if (stats.size > MAX_FILE_SIZE) throw new SkipError('it is too large')
    let sha256: string | null = null
    if (stats.size <= MAX_SMALL_FILE) {
      const content = readAll(file, stats.size)
      const written = blobs.writeWhole(blobKey, content)
      sha256 = hash('sha256', content)
      await written
      onBytes(content.length)
    } else {
      const size = await copy(blobs, blobKey, { source: pathOf(file, path), size: stats.size, onBytes })
      if (size !== stats.size) throw changed()
    }
    if (hasChanged(stats, fstatSync(file))) throw changed()
    return { size: stats.size, modifiedAt: modifiedAtOf(stats), sha256 }
  } finally {
    closeSync(file)
  }
}

function changed(): SkipError {
  return new SkipError('it changed while it was copied')
}

function hasChanged(before: Stats, after: Stats): boolean {
  return before.size !== after.size || before.mtimeMs !== after.mtimeMs || before.ctimeMs !== after.ctimeMs
}

/**
 * Opens a file without following symbolic links: the folders around it may belong to somebody who exchanges one for a link while they
 * are imported. Opening doesn't wait for the other end of a FIFO.
 */
function openFile(path: string): { file: number; stats: Stats } {
  const file = reading(() => openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new SkipError('it is a special file')
    const opened = readLink(`/proc/self/fd/${file}`)
    if (opened !== undefined && opened !== path) throw new SkipError('it was moved while it was read')
    return { file, stats }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Returns undefined on systems other than Linux. */
function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Returns a path that leads to the opened file, whatever has happened to its name since. */
function pathOf(file: number, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${file}` : path
}

function readAll(file: number, size: number): Buffer {
  // Its memory is handed to another thread, so it must not be shared with other buffers.
  const content = Buffer.allocUnsafeSlow(size)
  let length = 0
  while (length < size) {
    const read = reading(() => readSync(file, content, length, size - length, length))
    if (read === 0) throw changed()
    length += read
  }
  return content
}

const READ_FAILURES = new Set(['EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOENT'])

async function copy(
  blobs: BlobStore,
  blobKey: string,
  { source, size, onBytes }: { source: string; size: number; onBytes: OnBytes },
): Promise<number> {
  try {
    return await blobs.copyFile(blobKey, source, size, onBytes)
  } catch (error) {
    if (READ_FAILURES.has(String((error as NodeJS.ErrnoException).code))) throw new SkipError(describeReadError(error))
    throw error
  }
}

function reading<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new SkipError(describeReadError(error))
  }
}

/** Returns the date of a file within the years that Alcove stores. */
export function modifiedAtOf({ mtimeMs }: Pick<Stats, 'mtimeMs'>): number {
  return Math.min(Math.max(Math.floor(mtimeMs), 0), MAX_FILE_DATE)
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it has disappeared',
  ENOTDIR: 'it has disappeared',
  ELOOP: 'symbolic links are not imported',
  ENAMETOOLONG: 'its path is too long',
}

/** Says why a file or folder could not be read. */
export function describeReadError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? `it could not be read (${code || message})`
}
