import { AppError } from '../errors.ts'

/** Error codes for a full disk, of systems and PostgreSQL (appendix A of its manual). */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100'])
/** Error codes for a disk that is read-only or broken. */
const CLOSED = new Set(['EROFS', 'EACCES', 'EPERM', 'EIO', '25006', '58030'])

/** SQLite's primary result codes (sqlite.org/rescode.html); extended codes have them in their lowest byte. */
const SQLITE_FULL = 13
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CANTOPEN = 14
const SQLITE_CLOSED = new Set([SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN])

interface StorageError {
  code?: unknown
  errcode?: unknown
}

/** Describes a full or read-only disk; returns undefined for any other error. */
export function describeStorageFault(error: unknown): AppError | undefined {
  const { code, errcode } = (error ?? {}) as StorageError
  const sqlite = typeof errcode === 'number' ? errcode & 0xff : undefined
  if (FULL.has(String(code)) || sqlite === SQLITE_FULL) return storageFull(error)
  if (CLOSED.has(String(code)) || (sqlite !== undefined && SQLITE_CLOSED.has(sqlite))) return storageClosed(error)
  return undefined
}

/** Thrown to keep the last free space for operations that free some. */
export function storageFull(cause?: unknown): AppError {
  const message = 'The disk of this server is full. Stored files are safe. Please try again once there is free space.'
  return Object.assign(new AppError('storage_full', message), { cause })
}

export function storageClosed(cause?: unknown): AppError {
  const message = 'The disk of this server is not writable. Stored files can still be read. Please try again later.'
  return Object.assign(new AppError('unavailable', message, { retryAfterSeconds: 30 }), { cause })
}
