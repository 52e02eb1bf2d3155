/** An error response of the API. Throwing it rolls the call back; returning it keeps what the call did. */
export class StripeError extends Error {
  readonly status: number
  readonly details: StripeErrorDetails

  constructor(status: number, details: StripeErrorDetails) {
    super(details.message)
    this.status = status
    this.details = details
  }
}

interface StripeErrorDetails {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  setup_intent?: object
}

export function invalid(message: string, param?: string, code?: string): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, param, code })
}

/** Returns the error for an id that doesn't exist. `what` is the kind of object, like `customer`. */
export function missing(what: string, id: string, param = 'id', status = 404): StripeError {
  return new StripeError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })
}
