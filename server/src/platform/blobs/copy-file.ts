import {
  chmodSync,
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  fdatasync,
  fstatSync,
  openSync,
} from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

/** Files of up to this size are copied by one call of the system. Of larger ones, the progress is worth knowing. */
const COPIED_AT_ONCE = 64 * 1024 * 1024

/** Why a file system can't share bytes between two files. */
const NOT_SHARED = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EINVAL', 'ENOTTY', 'ENOSYS', 'EBADF'])

/**
 * Makes a copy of a file that shares its bytes if the file system can (a reflink). Otherwise copies the bytes of a small file, and
 * returns false for a large one, which remains to be copied.
 */
export async function copyWhole(source: string, path: string, size: number): Promise<boolean> {
  const isSmall = size <= COPIED_AT_ONCE
  const { COPYFILE_EXCL, COPYFILE_FICLONE, COPYFILE_FICLONE_FORCE } = constants
  try {
    await copyFile(source, path, COPYFILE_EXCL | (isSmall ? COPYFILE_FICLONE : COPYFILE_FICLONE_FORCE))
    return true
  } catch (error) {
    if (isSmall || !NOT_SHARED.has(String((error as NodeJS.ErrnoException).code))) throw error
    await rm(path, { force: true })
    return false
  }
}

const sync = promisify(fdatasync)

/**
 * Brings a copied file to stable storage, and returns its size. Only commands copy files, and they copy many: only the sync, which
 * takes long, is worth another thread.
 */
export async function makeDurable(path: string, mode: number): Promise<number> {
  // The copy has the mode of the file, which may prevent opening it.
  chmodSync(path, mode)
  const file = openSync(path, 'r')
  try {
    await sync(file)
    return fstatSync(file).size
  } finally {
    closeSync(file)
  }
}

/** Reads a file. `onBytes` is called with what was read. */
export function readCounting(path: string, onBytes: (bytes: number) => void): Readable {
  const source = createReadStream(path, { highWaterMark: 512 * 1024 })
  // The stream may fail before it is read. The reader gets the error later; it must not end the process.
  source.on('error', () => {})
  return Readable.from(count(source, onBytes), { objectMode: false }).on('error', () => {})
}

/** Writes a new file, brings it to stable storage, and returns its size. Fails if there is one. */
export async function writeNew(path: string, bytes: Readable, onBytes: (bytes: number) => void): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(count(bytes, onBytes), file)
  return file.bytesWritten
}

async function* count(bytes: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    onBytes(chunk.length)
    yield chunk
  }
}
