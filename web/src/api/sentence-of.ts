import { ApiError } from './api.ts'

/** The server's own sentence about a failure, where it gave one. */
export function sentenceOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.text : undefined
}
