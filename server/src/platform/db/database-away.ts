import { AppError } from '../../errors.ts'

/** What PostgreSQL (appendix A of its manual) and the way to it say while it stops, starts, has crashed or is overrun. */
const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['08000', '08001', '08003', '08004', '08006', '53300', '57P01', '57P02', '57P03'],
])

/** For these the driver has no codes. */
const AWAY_IN_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Puts into words that there is no database to ask just now; undefined when an error is about something else. */
export function describeDatabaseAway(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const isAway = ('code' in error && AWAY.has(String(error.code))) || AWAY_IN_WORDS.test(error.message)
  if (!isAway) return undefined
  const message = 'The server cannot look anything up just now. Nothing is lost; please try again in a moment.'
  return Object.assign(new AppError('unavailable', message, { retryAfterSeconds: 2 }), { cause: error })
}
