import type { ErrorBody, ErrorCode } from '@alcove/contract/errors'

/** What an error may tell besides its sentence. */
export type AppErrorDetails = Pick<ErrorBody, 'resendOption' | 'missing' | 'failed' | 'existing' | 'missingBytes'> & {
  retryAfterSeconds?: number
}

/** A refusal that the user may read: `message` is a sentence fit to show, `code` decides the status. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: AppErrorDetails

  constructor(code: ErrorCode, message: string, details: AppErrorDetails = {}) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** Not there, or not yours: the response is the same, so that nobody learns what others have. */
export function notFound(what: 'file' | 'folder' | 'item' | 'upload' | 'playlist' | 'track' | 'segment'): AppError {
  return new AppError('not_found', `This ${what} was not found.`)
}
