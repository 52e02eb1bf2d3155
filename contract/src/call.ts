import type { z } from 'zod'
import type { RateLimit } from './rate-limits.ts'
import type { Role } from './roles.ts'

/** Who may make a call: anyone, a signed-in user, a signed-in user with a paid plan, or an administrator. */
export type Access = 'public' | 'user' | 'paid' | 'admin'

/** What an app password may do: read, or also change everything, or only add files and folders, or only what administrators do. */
export const scopes = ['read', 'write', 'upload', 'admin'] as const
export type Scope = (typeof scopes)[number]
/** What an app password may do with files. */
export type DriveScope = Exclude<Scope, 'admin'>

/**
 * A call of the API. The server implements it, the web sends it, and the OpenAPI document is generated from it.
 *
 * `path` is relative to `/api` and names its parameters in braces (`/folder/{id}`). `input` is one flat object: path
 * parameters, query and body merged. `requestType` and `responseType` are the formats of the bodies.
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
  readonly responseType: 'json' | 'bytes' | 'events'
  /** What an app password must be allowed to do. Without it, only sessions may make the call. */
  readonly scope?: Scope
  /** Whether visitors who send files through a link may make it too, for what they send themselves. */
  readonly isForVisitors?: boolean
  /** The least role with which members of a shared folder may make it there. Without it, they can't: it is as if the items didn't exist. */
  readonly forMembers?: Role
  /**
   * For a call that brings items into the folder `targetFolderId`: the least role with which members may make it there. `forMembers` is
   * then the role where the items are. Either can be in the user's own drive, or in another shared folder.
   */
  readonly forMembersAtTarget?: Role
  /** Whether it takes items that others share together with own ones. The operation finds both itself, and the user stays the user. */
  readonly mixesShared?: boolean
  /** Whether everybody may make it during maintenance, because administrators sign in by it. */
  readonly worksInMaintenance?: boolean
  /** Whether the session must have begun, or been confirmed by `/reauthenticate`, a short while ago. */
  readonly recentSignIn: boolean
  /** Whether accounts may make it that must set up two-factor sign-in before anything else. */
  readonly beforeTwoFactor?: boolean
  /** How often one client may make this call. Calls without it share a general limit (`rate-limits.ts`). */
  readonly rateLimit?: RateLimit
  /** The largest JSON body in bytes, where it differs from the server's usual limit. */
  readonly bodyLimit?: number
}

/** Any call, whatever its schemas. */
export type AnyCall = Call
/** The input that a caller sends, before defaults and transforms. */
export type InputOf<C extends AnyCall> = z.input<C['input']>
/** The input that an operation receives, after defaults and transforms. */
export type ParsedInputOf<C extends AnyCall> = z.output<C['input']>
/** The result that an operation returns, before the output schema removes other fields. */
export type ResponseOf<C extends AnyCall> = z.input<C['output']>
/** The response that a caller receives. */
export type OutputOf<C extends AnyCall> = z.output<C['output']>

type Described<C extends AnyCall> = Omit<C, 'status' | 'requestType' | 'responseType' | 'recentSignIn'> &
  Partial<Pick<C, 'status' | 'requestType' | 'responseType' | 'recentSignIn'>>

/** Describes a call. By default the status is 200 and both bodies are JSON. */
export function defineCall<Input extends z.ZodObject, Output extends z.ZodType, Who extends Access>(
  described: Described<Call<Input, Output, Who>>,
): Call<Input, Output, Who> {
  return { status: 200, requestType: 'json', responseType: 'json', recentSignIn: false, ...described }
}

/** The names of a path's parameters: `/folder/{id}` has `id`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}
