import type { ErrorBody, ErrorCode } from '@alcove/contract/errors'

/** What an error may tell besides its sentence. */
export type ErrorFacts = Pick<ErrorBody, 'resendOption' | 'missing' | 'failed' | 'existing' | 'missingBytes'> & {
  retryAfterSeconds?: number
}

/** A refusal that the user may read: `message` is a sentence fit to show, `code` decides the status. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly facts: ErrorFacts

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.facts = facts
  }
}

/** Not there, or not yours: the answer is the same, so that nobody learns what others have. */
export function notFound(what: 'file' | 'folder' | 'item' | 'upload' | 'playlist' | 'track' | 'segment'): AppError {
  return new AppError('not_found', `This ${what} was not found.`)
}
