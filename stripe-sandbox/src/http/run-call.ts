import { createHash } from 'node:crypto'
import { change } from '../due-work.ts'
import type { World } from '../world.ts'
import type { ApiCall } from './calls.ts'
import { Parameters, parseForm } from './parameters.ts'
import { invalid, StripeError } from './stripe-error.ts'

export interface ApiResponse {
  status: number
  body: string
  isReplayed?: boolean
}

interface CallRequest {
  id: string
  /** The encoded parameters, from the body or the query string. */
  form: string
  path: string
  idempotencyKey?: string
}

const DAY = 86_400_000
const MAX_KEY = 255

/** Runs a call in a transaction. A repeated idempotency key returns the first response again. */
export function runCall(world: World, call: ApiCall, request: CallRequest): ApiResponse {
  try {
    const isKeyed = call.method === 'POST' && request.idempotencyKey !== undefined
    return change(world, () => (isKeyed ? handleOnce(world, call, request) : response(world, call, request)))
  } catch (error) {
    return errorResponse(error)
  }
}

function response(world: World, call: ApiCall, { id, form }: CallRequest): ApiResponse {
  const params = new Parameters(parseForm(form))
  const paths = params.texts('expand') ?? []
  const result = call.handle(world, params, id)
  // A returned error, unlike a thrown one, keeps what the call did.
  if (result instanceof StripeError) return errorResponse(result)
  params.assertNothingLeft()
  return { status: 200, body: JSON.stringify(expand(world, result, paths)) }
}

function handleOnce(world: World, call: ApiCall, request: CallRequest): ApiResponse {
  const { store, clock } = world
  const key = request.idempotencyKey ?? ''
  if (key.length > MAX_KEY) throw misused(`Keys may have at most ${MAX_KEY} characters.`)
  const fingerprint = createHash('sha256').update(`${request.path}\n${request.form}`).digest('hex')
  store.run('delete from answers where created_at < ?', clock.outside() - DAY)
  const kept = store.get<ApiResponse & { fingerprint: string }>(
    'select status, body, fingerprint from answers where key = ?',
    key,
  )
  if (kept && kept.fingerprint !== fingerprint) {
    throw misused(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    )
  }
  if (kept) return { status: kept.status, body: kept.body, isReplayed: true }
  const { status, body } = response(world, call, request)
  store.run('insert into answers values (?, ?, ?, ?, ?)', key, fingerprint, status, body, clock.outside())
  return { status, body }
}

function misused(message: string): StripeError {
  return new StripeError(400, { type: 'idempotency_error', message })
}

export function errorResponse(error: unknown): ApiResponse {
  if (error instanceof StripeError) return { status: error.status, body: JSON.stringify({ error: error.details }) }
  const details = { type: 'api_error', message: 'Something went wrong in the sandbox.' }
  return { status: 500, body: JSON.stringify({ error: details }) }
}

type Json = Record<string, unknown>

const MAX_DEPTH = 4

/** Replaces ids by their objects, along paths like `data.latest_invoice.customer`. */
function expand(world: World, response: object, paths: readonly string[]): object {
  const expanded = structuredClone(response)
  for (const path of paths) {
    const fields = path.split('.')
    const depth = fields[0] === 'data' ? fields.length - 1 : fields.length
    if (depth > MAX_DEPTH) throw invalid(`You cannot expand more than ${MAX_DEPTH} levels of a property.`, 'expand')
    expandOne(world, expanded as Json, fields, path)
  }
  return expanded
}

function expandOne(world: World, holder: Json, [field, ...rest]: string[], path: string): void {
  if (field === undefined) return
  const value = expandedValue(world, holder, field, path)
  if (value === null || value === undefined) return
  holder[field] = value
  for (const inner of Array.isArray(value) ? value : [value]) {
    if (typeof inner === 'object' && inner !== null) expandOne(world, inner as Json, rest, path)
  }
}

function expandedValue(world: World, holder: Json, field: string, path: string): unknown {
  const value = holder[field]
  if (value === undefined || field === 'id' || (typeof value === 'string' && !world.store.findAny(value))) {
    // Only objects are checked for the field, because lists and nested data may not have it.
    if (value === undefined && holder.object === undefined) return undefined
    throw invalid(`This property cannot be expanded (${path}).`, 'expand')
  }
  return typeof value === 'string' ? world.store.findAny(value) : value
}
