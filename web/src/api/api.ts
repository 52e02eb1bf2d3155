import type { AnyCall, InputOf, OutputOf } from '@alcove/contract/call'
import type { ErrorBody } from '@alcove/contract/errors'
import { createStore, useStore } from '../lib/store.ts'
import { addressOf, hasBody, withoutPathParameters } from './call-address.ts'
import { watchReachability } from './connection.ts'
import { takeEarlyResponse } from './early-responses.ts'
import { noteOwnChanges } from './own-changes.ts'
import { getSession, updateSession } from './session.ts'
import { maintenance } from './site-state.ts'

/**
 * Dispatched on `window` when a call finds that the session has expired. The token has been removed by then. Its `detail` is the reason
 * if that is another one.
 */
export const TOKEN_EXPIRED = 'token-expired'

/** A response that is not OK. `text` is the server's sentence, if it sent one. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly body?: ErrorBody
  readonly text?: string
  /** From the `Retry-After` header, in seconds. */
  readonly retryAfter?: number

  constructor(status: number, body?: ErrorBody, retryAfter?: string | null) {
    super(`API error: ${status}`)
    this.status = status
    this.body = body
    this.retryAfter = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
    this.text = body?.error || body?.message || undefined
  }
}

interface SendOptions {
  readonly signal?: AbortSignal
  /** The page is about to be left; the request continues. */
  readonly isLast?: boolean
  /** Authorizes the call instead of the session. */
  readonly bearer?: string
}

/**
 * Makes a call and returns its response. Rejects with `ApiError` when the response is not OK and with the `TypeError`
 * of `fetch` when the network fails, and with `CallCancelled` when the user doesn't confirm a call that needs it.
 */
export async function send<C extends AnyCall>(
  call: C,
  input: InputOf<C>,
  options: SendOptions = {},
): Promise<OutputOf<C>> {
  const response = await request(call, input, options)
  return (await response.json()) as OutputOf<C>
}

/** Makes a call whose response is bytes and returns all of them, so it is for small files. */
export async function fetchBlob<C extends AnyCall>(call: C, input: InputOf<C>, options?: SendOptions): Promise<Blob> {
  const response = await request(call, input, options)
  return response.blob()
}

/**
 * Sends a call. If the server asks for a recent sign-in, the user confirms who they are, and the call is sent again,
 * once.
 */
async function request<C extends AnyCall>(
  call: C,
  input: InputOf<C>,
  options: SendOptions = {},
  hasConfirmed = false,
): Promise<Response> {
  const { userId, token: ownToken } = getSession()
  const token = options.bearer ?? ownToken
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
  if (!options.bearer && isOfAnotherUser(userId)) throw new CallCancelled()
  noteOwnChanges((name) => response.headers.get(name))
  if (response.ok) return response

  if (response.status === 401 && call.access !== 'public' && !options.bearer) expireToken(token)
  const body = await readErrorBody(response)
  if (body?.code === 'account_suspended' && call.access !== 'public' && !options.bearer) expireToken(token, body.error)
  if (!hasConfirmed && body?.code === 'reauthentication_required') {
    await reauthenticateOnce()
    // Another tab may have signed in as another user meanwhile. The call was not meant for them.
    if (getSession().token !== token) throw new CallCancelled()
    return request(call, input, options, true)
  }
  if (body?.code === 'maintenance') maintenance.set(body.message)
  // The page of the router loads anew, since nothing else can be used until then.
  if (body?.code === 'two_factor_setup_required') location.replace('/two-factor-setup')
  throw new ApiError(response.status, body, response.headers.get('retry-after'))
}

/** Returns whether somebody else has signed in meanwhile, perhaps in another tab. What was requested before is none of their business. */
function isOfAnotherUser(userId: string | undefined): boolean {
  const now = getSession().userId
  return userId !== undefined && now !== undefined && userId !== now
}

/**
 * Ends the session in this browser, for a reason that the user reads, unless it is over already, the user has signed in again since
 * `token` was used, or is deleting the account.
 */
export function expireToken(token: string | undefined, reason?: string): void {
  if (token === undefined || getAccountEnding() !== 'no' || token !== getSession().token) return
  updateSession({ token: undefined })
  window.dispatchEvent(new CustomEvent(TOKEN_EXPIRED, { detail: reason }))
}

async function readErrorBody(response: Response): Promise<ErrorBody | undefined> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? (body as ErrorBody) : undefined
  } catch {
    return undefined // a proxy's HTML page, or nothing at all
  }
}

/** The user cancelled a call that had to be confirmed. This is not a failure, so no error is shown. */
export class CallCancelled extends Error {
  // The name that browsers use for aborted operations.
  override readonly name = 'AbortError'
}

/**
 * Asks the user to confirm who they are. Resolves once they have; rejects with `CallCancelled` if they don't want to.
 */
type Ask = () => Promise<void>

const reauthentication = createStore<{ readonly ask?: Ask; readonly running?: Promise<void> }>({})

/** Sets the function that asks the user. It shows a dialog, which is in a layer above this one. */
export function setReauthentication(ask: Ask): void {
  reauthentication.set({ ...reauthentication.get(), ask })
}

/** Asks the user to confirm who they are. Calls that need it at the same time share one question. */
function reauthenticateOnce(): Promise<void> {
  const { ask, running } = reauthentication.get()
  if (running) return running
  const asked = (ask?.() ?? Promise.reject(new CallCancelled())).finally(() =>
    reauthentication.set({ ...reauthentication.get(), running: undefined }),
  )
  reauthentication.set({ ask, running: asked })
  return asked
}

/**
 * Whether the user is deleting the account. That ends its sessions, which must not be reported as an expired session,
 * and the page stays where it is until it says goodbye.
 */
type AccountEnding = 'no' | 'deleting' | 'deleted'

const accountEnding = createStore<AccountEnding>('no')

export const getAccountEnding = accountEnding.get
export const setAccountEnding = accountEnding.set
export const subscribeToAccountEnding = accountEnding.subscribe
export const useAccountEnding = () => useStore(accountEnding)

/** Returns the server's sentence about a failure, if the response had one. */
export function sentenceOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.text : undefined
}
