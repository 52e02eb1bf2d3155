import { ApiError } from '../../api/api.ts'

/** What is said of a change of the account that failed: the server's own sentence comes first. */
export function failureText(error: unknown, refused: string, broken = 'Server error.'): string {
  return error instanceof ApiError ? (error.text ?? refused) : broken
}
