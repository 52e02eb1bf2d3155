import type { AnyCall, ParsedInputOf, ResponseOf } from '@alcove/contract/call'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { z } from 'zod'
import type { Context, Services, SessionUser, UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { EventStream } from '../events/event-stream.ts'
import { endUnless, endWhenRevoked } from './app-passwords.ts'
import { assertRecentSignIn, authenticate, readBearer } from './authenticate.ts'
import { sendChanges } from './changed-header.ts'
import { compileOutput } from './compile-output.ts'
import { type IncomingForm, readForm } from './incoming-form.ts'
import { actBetween, actForOwner, explainToMember, placesOf, targetOf } from './members.ts'
import { PagedResult } from './paged-result.ts'
import { abortWhenIdle, bodiesInFlight, hasBody } from './request-bodies.ts'
import { type BytesResponse, sendBytes } from './send-bytes.ts'
import { sendEvents } from './send-events.ts'

type ContextFor<C extends AnyCall> = C['access'] extends 'public' ? Context : UserContext
/** A call that returns bytes has no output schema. */
type ResultOf<C extends AnyCall> = C['output'] extends z.ZodUndefined ? BytesResponse : ResponseOf<C> | PagedResult

/** The operation of a call: a function of its context (the caller and the services) and its input. */
export type Operation<C extends AnyCall> = (ctx: ContextFor<C>, input: ParsedInputOf<C>) => Promise<ResultOf<C>>

/** The operation of a call that sends a form with a file. It chooses the status of its response. */
export type FormOperation<C extends AnyCall> = (
  ctx: UserContext,
  form: IncomingForm,
) => Promise<{ status: 200 | 201; body: ResponseOf<C> }>

/** A call of the contract with its operation. */
export interface Endpoint {
  readonly call: AnyCall
  /** Adds the route to the API. */
  readonly addTo: (api: FastifyInstance, services: Services) => void
}

/** Implements a call. The input is parsed and the result serialized as the contract specifies. */
export function endpoint<C extends AnyCall>(call: C, operation: NoInfer<Operation<C>>): Endpoint {
  return {
    call,
    addTo: (api, services) => {
      const toOutput = compileOutput(call.output)
      addRoute(api, services, call, async (request, reply, context) => {
        const input = call.input.parse(collectInput(request)) as ParsedInputOf<C>
        const ctx = (await whereShared(services, call, context, reply, () => input)) as ContextFor<C>
        const result = await operation(ctx, input).catch(async (error: unknown) => {
          throw await explain(services, call, request, ctx, error)
        })
        if (call.responseType === 'bytes') {
          const { isStillAllowed } = result as BytesResponse
          if (isStillAllowed) endUnless(reply.raw, isStillAllowed)
          return sendBytes(services, request, reply, result as BytesResponse)
        }
        if (!(result instanceof PagedResult)) return reply.status(call.status).send(toOutput(result))
        const opened = await result.open(toOutput)
        return reply.status(call.status).type('application/json; charset=utf-8').send(opened)
      })
    },
  }
}

/** Implements a call that sends a form. The operation reads the fields and the bytes itself as they arrive. */
export function formEndpoint<C extends AnyCall>(call: C, operation: NoInfer<FormOperation<C>>): Endpoint {
  return {
    call,
    addTo: (api, services) => {
      const toOutput = compileOutput(call.output)
      addRoute(api, services, call, async (request, reply, context) => {
        const form = await readForm(request)
        let ctx = context as UserContext
        try {
          // Fields behind the bytes come too late to say where the request acts.
          ctx = (await whereShared(services, call, context, reply, () => parseFields(call, form))) as UserContext
          const { status, body } = await operation(ctx, form)
          return await reply.status(status).send(toOutput(body))
        } catch (error) {
          throw await explain(services, call, request, ctx, error)
        } finally {
          // Reads and drops the rest of the file, unless a refusal drains the whole request.
          form.file.resume()
        }
      })
    },
  }
}

/** Implements a call whose response is a stream of events. The operation opens the stream. */
export function eventsEndpoint(call: AnyCall, operation: (ctx: UserContext) => Promise<EventStream>): Endpoint {
  return {
    call,
    addTo: (api, services) => {
      addRoute(api, services, call, (request, reply, context) =>
        sendEvents(request, reply, () => operation(context as UserContext)),
      )
    },
  }
}

/**
 * Returns the context in which a request is carried out. If a user makes a call that members may make, on items of a folder that
 * somebody shares with the user, that is the one of the owner, limited to the folder. Users without such folders cost no statement.
 */
async function whereShared(
  services: Services,
  call: AnyCall,
  context: Context,
  reply: FastifyReply,
  readInput: () => Record<string, unknown>,
): Promise<Context> {
  const { user } = context as Partial<UserContext>
  if (call.forMembers === undefined || call.mixesShared || !user?.hasSharedFolders) return context
  const acting = await findActing(services, call, user, readInput())
  if (!acting) return context
  for (const one of [acting.user, acting.target]) if (one?.member) endWhenRevoked(services, one, reply.raw)
  const forOwner: UserContext = { ...context, ...acting }
  return forOwner
}

async function findActing(
  { db }: Services,
  { forMembers, forMembersAtTarget }: AnyCall,
  user: SessionUser,
  input: Record<string, unknown>,
): Promise<Pick<UserContext, 'user' | 'target'> | undefined> {
  if (forMembers === undefined) return undefined
  if (forMembersAtTarget !== undefined) {
    const needs = { items: forMembers, target: forMembersAtTarget }
    return actBetween(db, user, needs, { items: placesOf(input), target: targetOf(input) })
  }
  const owner = await actForOwner(db, user, forMembers, placesOf(input))
  return owner && { user: owner }
}

/** Returns the fields of a form that have arrived, parsed if they are complete. */
function parseFields(call: AnyCall, { fields }: IncomingForm): Record<string, unknown> {
  const parsed = call.input.safeParse(fields)
  return parsed.success ? parsed.data : fields
}

/** Checks the rate limit, the session and the plan in `onRequest`, before a byte of the body is read. */
function addRoute(
  app: FastifyInstance,
  services: Services,
  call: AnyCall,
  handler: (request: FastifyRequest, reply: FastifyReply, context: Context) => Promise<unknown>,
): void {
  const contexts = new WeakMap<FastifyRequest, Context>()
  const sendChangesOf: onSendHookHandler = (request, reply, payload, done) => {
    const context = contexts.get(request)
    if (context && 'user' in context) sendChanges(reply, (context as UserContext).user)
    done(null, payload)
  }
  app.route({
    method: call.method,
    url: call.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(call.bodyLimit && { bodyLimit: call.bodyLimit }),
    config: { worksInMaintenance: call.worksInMaintenance === true },
    onRequest: async (request, reply) => {
      contexts.set(request, await createContext(services, call, request, reply))
      if (call.requestType === 'multipart' || !hasBody(request)) return
      bodiesInFlight.take(request, reply, call.bodyLimit ?? DEFAULT_BODY_LIMIT)
      abortWhenIdle(request.raw)
    },
    handler: (request, reply) => handler(request, reply, contexts.get(request) as Context),
    // Also with errors: a change that was refused may have shared a transaction with others.
    ...(call.access !== 'public' && call.method !== 'GET' && { onSend: sendChangesOf }),
  })
}

/** The default limit for a body in bytes, which `app.ts` passes to Fastify. */
export const DEFAULT_BODY_LIMIT = 1024 * 1024

/** Replaces an error by the refusal of the session if the session or the account has ended meanwhile. */
async function explain(
  services: Services,
  call: AnyCall,
  request: FastifyRequest,
  context: Context,
  error: unknown,
): Promise<unknown> {
  const { user, target = user } = context as Partial<UserContext>
  // Whoever gets the items lacks the space for them.
  if (target?.member && error instanceof AppError) return explainToMember(error)
  const isMeant = error instanceof AppError ? error.code !== 'account_suspended' : error instanceof z.ZodError
  if (call.access === 'public' || isMeant) return error
  return authenticate(services, request, { ...call, access: 'user' }).then(
    () => error,
    (refusal: unknown) => refusal,
  )
}

async function createContext(
  services: Services,
  call: AnyCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context> {
  const base = publicContext(services, request, reply)
  await services.rateLimits.admitRequest(call, request.ip)
  if (call.access === 'public') return base
  const user = await authenticate(services, request, call)
  // Streams of events are checked all together.
  if (call.responseType !== 'events') endWhenRevoked(services, user, reply.raw)
  if (call.recentSignIn) assertRecentSignIn(user, services.clock.now())
  const forUser: UserContext = { ...base, user }
  return forUser
}

/** Creates the context of a request whose caller is not known yet. */
export function publicContext(services: Services, request: FastifyRequest, reply: FastifyReply): Context {
  return {
    ...services,
    ip: request.ip,
    bearer: readBearer(request),
    userAgent: request.headers['user-agent'] ?? '',
    abortSignal: () => createAbortSignal(reply),
  }
}

/** Creates a signal that aborts when the client disconnects, and also when the response is complete. */
function createAbortSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}

/**
 * Merges the body and the path's parameters, which take precedence, into one flat input; for GET and DELETE the query too. Other
 * calls change something and don't read the query, because URLs end up in links, logs and histories.
 */
function collectInput({ method, query, body, params }: FastifyRequest): Record<string, unknown> {
  const isObject = typeof body === 'object' && !Array.isArray(body)
  if (body !== undefined && body !== null && !isObject) {
    throw new AppError('malformed', 'The body of the request must be a JSON object.')
  }
  const isInQuery = method === 'GET' || method === 'HEAD' || method === 'DELETE'
  return { ...(isInQuery && (query as object)), ...body, ...(params as object) }
}
