import type { AnyCall, InputOf, OutputOf } from '@alcove/contract/call'
import type { ErrorBody } from '@alcove/contract/errors'
import { getAccountEnding } from './account-ending.ts'
import { addressOf, hasBody, withoutPathParameters } from './call-address.ts'
import { takeEarlyResponse } from './early-responses.ts'
import { watchReachability } from './reachability.ts'
import { CallCancelled, reauthenticateOnce } from './reauthentication.ts'
import { getSession, updateSession } from './session.ts'

/** Raised on `window` when a call finds the session over; the token is gone by then. */
export const TOKEN_EXPIRED = 'token-expired'

/** A response that is not OK. `text` is the server's own sentence, where it gave one. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly body?: ErrorBody
  readonly text?: string
  /** After how many seconds to ask again, where the server said so. */
  readonly retryAfter?: number

  constructor(status: number, body?: ErrorBody, retryAfter?: string | null) {
    super(`API error: ${status}`)
    this.status = status
    this.body = body
    this.retryAfter = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
    this.text = body?.error || body?.message || undefined
  }
}

export interface SendOptions {
  readonly signal?: AbortSignal
  /** The request outlives the page, which is about to go. */
  readonly isLast?: boolean
}

/**
 * Makes a call and returns its response. Rejects with `ApiError` when the response is not OK and with the `TypeError`
 * of `fetch` when the network fails, and with `CallCancelled` when the user doesn't confirm a call that has to be.
 */
export async function send<C extends AnyCall>(
  call: C,
  input: InputOf<C>,
  options: SendOptions = {},
): Promise<OutputOf<C>> {
  const response = await request(call, input, options)
  return (await response.json()) as OutputOf<C>
}

/** Makes a call that answers bytes, and gives them back whole: for what is small. */
export async function fetchBlob<C extends AnyCall>(call: C, input: InputOf<C>, options?: SendOptions): Promise<Blob> {
  const response = await request(call, input, options)
  return response.blob()
}

/** Sends a call. If the server asks for a recent sign-in, the user confirms who they are, and the call is sent again, once. */
async function request<C extends AnyCall>(
  call: C,
  input: InputOf<C>,
  options: SendOptions = {},
  hasConfirmed = false,
): Promise<Response> {
  const { token } = getSession()
  const headers = new Headers({ 'content-type': 'application/json' })
  if (token) headers.set('authorization', `Bearer ${token}`)

  const address = addressOf(call, input)
  const early = call.method === 'GET' ? await takeEarlyResponse(address, token) : undefined
  const response =
    early ??
    (await watchReachability(
      fetch(address, {
        method: call.method,
        headers,
        body: hasBody(call) ? JSON.stringify(withoutPathParameters(call, input)) : undefined,
        signal: options.signal,
        keepalive: options.isLast,
      }),
    ))
  if (response.ok) return response

  if (response.status === 401 && call.access !== 'public') expireToken(token)
  const body = await readErrorBody(response)
  if (!hasConfirmed && body?.code === 'reauthentication_required') {
    await reauthenticateOnce()
    // Meanwhile another tab may have signed in as someone else, for whom this was not meant.
    if (getSession().token !== token) throw new CallCancelled()
    return request(call, input, options, true)
  }
  throw new ApiError(response.status, body, response.headers.get('retry-after'))
}

/** Ends the session in this browser, unless the user has signed in anew since `token` was used, or ends it on purpose. */
export function expireToken(token: string | undefined): void {
  if (getAccountEnding() !== 'no' || token !== getSession().token) return
  updateSession({ token: undefined })
  window.dispatchEvent(new Event(TOKEN_EXPIRED))
}

async function readErrorBody(response: Response): Promise<ErrorBody | undefined> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? (body as ErrorBody) : undefined
  } catch {
    return undefined // a proxy's HTML page, or nothing at all
  }
}
