import { ApiError } from '../../../api/api.ts'

const FAILED = 'An error occurred while creating your checkout session.'

/** What is said when a purchase could not begin: the server's reason where it refused, and no detail where it broke. */
export function describePurchaseFailure(error: unknown): string {
  if (!(error instanceof ApiError) || !error.text) return FAILED
  if (error.status < 500) return error.text
  return error.body?.code === 'payments_unavailable' ? `${FAILED} ${error.text}` : FAILED
}

/** Whether the server has said no: what it was asked has not been done, and asking again is another decision. */
export function isErrorResponse(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500
}
