import type { ErrorBody, ErrorCode } from '@alcove/contract/errors'

/** Further fields of an error response. */
export type AppErrorDetails = Pick<
  ErrorBody,
  'resendOption' | 'missing' | 'failed' | 'existing' | 'locks' | 'missingBytes'
> & {
  retryAfterSeconds?: number
}

/** An error that users may see: `message` is a sentence to show, and `code` determines the status. */
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

/**
 * Creates the error for something that is missing or belongs to someone else. The response is the same for both, so that
 * nobody learns what others have.
 */
export function notFound(
  what:
    | 'file'
    | 'version'
    | 'folder'
    | 'item'
    | 'link'
    | 'upload'
    | 'playlist'
    | 'track'
    | 'segment'
    | 'member'
    | 'group'
    | 'invitation'
    | 'user'
    | 'job',
): AppError {
  return new AppError('not_found', `This ${what} was not found.`)
}

/** Creates the error for an address where nothing is. */
export function nothingHere(): AppError {
  return new AppError('not_found', 'There is nothing at this address.')
}

/** Creates the error for a user whose account an administrator has suspended. Only who has proved to be that user gets it. */
export function accountSuspended(supportEmail: string): AppError {
  return new AppError('account_suspended', `This account is suspended. Write to ${supportEmail} to find out why.`)
}
