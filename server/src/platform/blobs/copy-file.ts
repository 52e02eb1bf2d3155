import { constants, createReadStream } from 'node:fs'
import { chmod, copyFile, open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'

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

/** Brings a copied file to stable storage, and returns its size. */
export async function makeDurable(path: string, mode: number): Promise<number> {
  // The copy has the mode of the file, which may prevent opening it.
  await chmod(path, mode)
  const file = await open(path, 'r')
  try {
    await file.datasync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** Reads a file. `onBytes` is called with what was read. */
export function readCounting(path: string, onBytes: (bytes: number) => void): Readable {
  const source = createReadStream(path, { highWaterMark: 512 * 1024 })
  // The stream may fail before it is read. The reader gets the error later; it must not end the process.
  source.on('error', () => {})
  async function* counted() {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      onBytes(chunk.length)
      yield chunk
    }
  }
  return Readable.from(counted(), { objectMode: false }).on('error', () => {})
}
