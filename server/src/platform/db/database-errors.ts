import { AppError } from '../../errors.ts'

/**
 * Error codes of PostgreSQL (appendix A of its manual) and of the connection to it, while it stops, starts, has crashed or is
 * overloaded.
 */
const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['08000', '08001', '08003', '08004', '08006', '53300', '57P01', '57P02', '57P03'],
])

/** The driver has no codes for these. */
const AWAY_IN_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Describes an unreachable database; returns undefined for any other error. */
export function describeDatabaseAway(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const isAway = ('code' in error && AWAY.has(String(error.code))) || AWAY_IN_WORDS.test(error.message)
  if (!isAway) return undefined
  const message = 'The database is not responding. Nothing is lost. Please try again in a moment.'
  return Object.assign(new AppError('unavailable', message, { retryAfterSeconds: 2 }), { cause: error })
}

/** Returns whether a database error says that a row refers to one that doesn't exist any more. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === '23503') || ('errcode' in error && error.errcode === 787)
}

/** Returns whether a database error says that a unique index rejected a row. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // PostgreSQL's code 23505; SQLite's extended codes for a unique index and a primary key.
  if ('code' in error && error.code === '23505') return true
  return 'errcode' in error && (error.errcode === 2067 || error.errcode === 1555)
}
