import { ApiError } from '../../api/api.ts'

/** Returns the message for a failed call: the server's own, `refused` if it gave none, `broken` if it never answered. */
export function failureText(error: unknown, refused: string, broken = 'Server error.'): string {
  return error instanceof ApiError ? (error.text ?? refused) : broken
}
