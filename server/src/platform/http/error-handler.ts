import { INVALID_EMAIL, PASSWORD_REQUIREMENTS_NOT_MET } from '@alcove/contract/credentials'
import { type ErrorBody, type ErrorCode, errorStatus } from '@alcove/contract/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { describeDatabaseAway } from '../db/database-errors.ts'
import { describeStorageFault } from '../storage-faults.ts'
import { drainRequest } from './request-bodies.ts'

/**
 * Sends any thrown error and logs errors that are not meant for users. The response has the one error format, unless `send` writes
 * another one for clients of another protocol.
 */
export function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  send = ({ status, body }: PublicError): FastifyReply => reply.status(status).send(body),
): void {
  const described = describeError(error)
  const { status, retryAfterSeconds } = described
  if (status >= 500 && described.body.code !== 'maintenance') request.log.error({ err: error }, 'a request failed')
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', Math.ceil(retryAfterSeconds))
  // Caches may store a 404 by default, so a link that is enabled a moment later would stay unknown.
  void reply.header('cache-control', 'no-store')
  drainRequest(request.raw)
  // Fastify would close the connection after a body that is too large, and the client would lose the response.
  void reply.removeHeader('connection')
  void send(described)
}

/** A thrown error as the user may see it. Errors that are not meant for users become `internal`. */
interface PublicError {
  status: number
  body: ErrorBody
  retryAfterSeconds: number | undefined
}

/** Converts any thrown error to the one error format. */
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

/** Messages from the specification, which have no full stop. */
const UNPUNCTUATED = new Set([INVALID_EMAIL, PASSWORD_REQUIREMENTS_NOT_MET])

/** Describes the first issue. A field's own message is used as it is; others are prefixed with the field's name. */
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
  if (error.statusCode === 413) return 'This request is too large.'
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'The content type of this request is not supported.'
  return 'The request is malformed.'
}
