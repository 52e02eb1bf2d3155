import { createHash } from 'node:crypto'
import { change } from '../due-work.ts'
import type { World } from '../world.ts'
import type { ApiCall } from './calls.ts'
import { expand } from './expand.ts'
import { parseForm } from './form.ts'
import { Parameters } from './parameters.ts'
import { StripeError } from './stripe-error.ts'

export interface Answer {
  status: number
  body: string
  isReplayed?: boolean
}

interface CallRequest {
  id: string
  /** The form as it came, from the body or behind the question mark. */
  form: string
  path: string
  idempotencyKey?: string
}

const DAY = 86_400_000
const MAX_KEY = 255

/** Runs a call in one transaction. A repeated idempotency key returns the first response again. */
export function runCall(world: World, call: ApiCall, request: CallRequest): Answer {
  try {
    const isKeyed = call.method === 'POST' && request.idempotencyKey !== undefined
    return change(world, () => (isKeyed ? handleOnce(world, call, request) : response(world, call, request)))
  } catch (error) {
    return errorResponse(error)
  }
}

function response(world: World, call: ApiCall, { id, form }: CallRequest): Answer {
  const params = new Parameters(parseForm(form))
  const paths = params.texts('expand') ?? []
  const result = call.handle(world, params, id)
  // What it did stays done.
  if (result instanceof StripeError) return errorResponse(result)
  params.assertNothingLeft()
  return { status: 200, body: JSON.stringify(expand(world, result, paths)) }
}

function handleOnce(world: World, call: ApiCall, request: CallRequest): Answer {
  const { store, clock } = world
  const key = request.idempotencyKey ?? ''
  if (key.length > MAX_KEY) throw misused(`Keys may have at most ${MAX_KEY} characters.`)
  const fingerprint = createHash('sha256').update(`${request.path}\n${request.form}`).digest('hex')
  store.run('delete from answers where created_at < ?', clock.outside() - DAY)
  const kept = store.get<Answer & { fingerprint: string }>(
    'select status, body, fingerprint from answers where key = ?',
    key,
  )
  if (kept && kept.fingerprint !== fingerprint) {
    throw misused(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  }
  if (kept) return { status: kept.status, body: kept.body, isReplayed: true }
  const given = response(world, call, request)
  store.run('insert into answers values (?, ?, ?, ?, ?)', key, fingerprint, given.status, given.body, clock.outside())
  return given
}

function misused(message: string): StripeError {
  return new StripeError(400, { type: 'idempotency_error', message })
}

export function errorResponse(error: unknown): Answer {
  if (error instanceof StripeError) return { status: error.status, body: JSON.stringify({ error: error.details }) }
  const details = { type: 'api_error', message: 'Something went wrong in the sandbox.' }
  return { status: 500, body: JSON.stringify({ error: details }) }
}
