/** A refusal as Stripe words it. Thrown, it undoes what the call did; `isKept` says that what it did stays done. */
export class StripeError extends Error {
  readonly status: number
  readonly details: StripeErrorDetails
  readonly isKept: boolean

  constructor(status: number, details: StripeErrorDetails, options: { isKept?: boolean } = {}) {
    super(details.message)
    this.status = status
    this.details = details
    this.isKept = options.isKept ?? false
  }
}

export interface StripeErrorDetails {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  payment_intent?: object
  setup_intent?: object
}

export function invalid(message: string, param?: string, code?: string): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, param, code })
}

/** `what` as in "No such customer". */
export function missing(what: string, id: string, param = 'id', status = 404): StripeError {
  return new StripeError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })
}
