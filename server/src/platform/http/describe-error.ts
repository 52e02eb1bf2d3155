import { type ErrorBody, type ErrorCode, errorStatus } from '@alcove/contract/errors'
import { INVALID_EMAIL, PASSWORD_REQUIREMENTS_NOT_MET } from '@alcove/contract/fields'
import type { FastifyError } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { describeDatabaseAway } from '../db/database-away.ts'
import { describeStorageFault } from '../storage-faults.ts'

/** What was thrown, as the user may know it. What is not meant for users is 'internal', and a fault. */
export interface PublicError {
  status: number
  body: ErrorBody
  retryAfterSeconds: number | undefined
}

/** Turns whatever was thrown into the one error format. */
export function describeError(error: unknown): PublicError {
  const { code, message, details } = toAppError(error)
  const { retryAfterSeconds, ...others } = details
  return { status: errorStatus[code], body: { error: message, message, code, ...others }, retryAfterSeconds }
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof z.ZodError) return new AppError('malformed', describeIssue(error))
  if (isFastifyError(error) && error.statusCode !== undefined && error.statusCode < 500) {
    return new AppError(frameworkCode(error.statusCode), frameworkText(error))
  }
  return (
    describeStorageFault(error) ??
    describeDatabaseAway(error) ??
    new AppError('internal', 'Something went wrong on our side. Please try again.')
  )
}

/** Messages of the specification that have no full stop. */
const UNPUNCTUATED = new Set([INVALID_EMAIL, PASSWORD_REQUIREMENTS_NOT_MET])

/** The sentence of the first thing that is wrong; a field's own message speaks for itself, others name the field. */
function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return 'The request is malformed.'
  const isOwnMessage = /[.!?]$/.test(issue.message) || UNPUNCTUATED.has(issue.message) || issue.path.length === 0
  if (isOwnMessage) return issue.message
  const field = issue.path.join('.')
  return issue.message.endsWith('received undefined') ? `${field} is missing.` : `${field}: ${issue.message}`
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error
}

function frameworkCode(status: number): ErrorCode {
  if (status === 404) return 'not_found'
  if (status === 413) return 'too_large'
  if (status === 429) return 'too_many_requests'
  return 'malformed'
}

function frameworkText(error: FastifyError): string {
  if (error.statusCode === 413) return 'This is larger than is allowed.'
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'The content type of this request is not supported.'
  return 'The request is malformed.'
}
