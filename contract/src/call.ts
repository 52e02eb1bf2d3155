import type { z } from 'zod'

/** Who may make a call: anyone, a signed-in user, or a signed-in user with a paid plan. */
export type Access = 'public' | 'user' | 'paid'

/**
 * One call of the API, described once: the server binds it to an operation, the web sends it, OpenAPI is made from it.
 *
 * `path` is relative to `/api` and names its parameters in braces (`/folder/{id}`). `input` is one flat object: path
 * parameters, query and body merged. `requestType` and `responseType` say how the bodies travel.
 */
export interface Call<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Who extends Access = Access,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: `/${string}`
  readonly access: Who
  readonly summary: string
  readonly input: Input
  readonly output: Output
  readonly status: 200 | 201
  readonly requestType: 'json' | 'multipart'
  readonly responseType: 'json' | 'bytes'
  /** Whether the session must have begun, or been confirmed by `/reauthenticate`, a short while ago. */
  readonly recentSignIn: boolean
}

/** Any call, whatever its schemas. */
export type AnyCall = Call
/** What a caller gives: before defaults and transforms. */
export type InputOf<C extends AnyCall> = z.input<C['input']>
/** What an operation receives: after defaults and transforms. */
export type ParsedInputOf<C extends AnyCall> = z.output<C['input']>
/** What an operation returns: before the output schema drops what is not in it. */
export type ResponseOf<C extends AnyCall> = z.input<C['output']>
/** What a caller gets back. */
export type OutputOf<C extends AnyCall> = z.output<C['output']>

type Described<C extends AnyCall> = Omit<C, 'status' | 'requestType' | 'responseType' | 'recentSignIn'> &
  Partial<Pick<C, 'status' | 'requestType' | 'responseType' | 'recentSignIn'>>

/** Describes a call; the status is 200, and JSON goes both ways, unless said otherwise. */
export function defineCall<Input extends z.ZodObject, Output extends z.ZodType, Who extends Access>(
  described: Described<Call<Input, Output, Who>>,
): Call<Input, Output, Who> {
  return { status: 200, requestType: 'json', responseType: 'json', recentSignIn: false, ...described }
}

/** The names of a path's parameters: `/folder/{id}` has `id`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}
