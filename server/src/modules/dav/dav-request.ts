import type { IncomingHttpHeaders } from 'node:http'
import type { DriveScope } from '@alcove/contract/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionUser, UserContext } from '../../context.ts'
import { DavError } from './dav-error.ts'
import { type DavPath, type Mount, readDestination, writeHref } from './dav-path.ts'
import type { IfHeader } from './if-header.ts'
import { davProperties, type LiveProperties, type Writing } from './live-properties.ts'
import { mountsBeside } from './mounts.ts'
import { remoteProperties } from './remote/remote-properties.ts'
import type { Found } from './resolve-path.ts'

/** An authenticated request for a resource below a mount. */
export interface DavRequest {
  /** `ctx.user.lockTokens` has the locks that the client says it holds. */
  readonly ctx: UserContext
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The headers of the request, or those of one file in its body. */
  readonly headers: IncomingHttpHeaders
  readonly mount: Mount
  readonly path: DavPath
  /** Where the request came from, if it is carried out in a shared folder. Then mount, path and user are those of the folder. */
  readonly home?: Home
  readonly ifHeader: IfHeader | undefined
}

/** Where a request came from that is carried out in a shared folder. */
export interface Home {
  readonly mount: Mount
  /** The member. */
  readonly user: SessionUser
  /** The path of the shared folder in the member's tree. */
  readonly at: DavPath
}

export type DavHandler = (dav: DavRequest) => Promise<unknown>

/** The methods of an address, with what an app password must be allowed to do. */
export type DavMethods = Readonly<Record<string, { handler: DavHandler; scope: DriveScope }>>

/** Returns the value of a header, or undefined. */
export function headerOf({ headers }: Pick<DavRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

export type Depth = '0' | '1' | 'infinity'

/** Reads the `Depth` header. Throws 400 for any other depth than those that the method allows. */
export function readDepth<D extends Depth>(dav: DavRequest, allowed: readonly D[], byDefault: D): D {
  // Old clients of Microsoft send `1,noroot`.
  const given = headerOf(dav, 'depth')
    ?.trim()
    .toLowerCase()
    .replace(/,noroot$/, '')
  if (given === undefined) return byDefault
  const depth = allowed.find((one) => one === given)
  if (depth === undefined) throw new DavError(400, `The Depth of this request must be ${allowed.join(' or ')}.`)
  return depth
}

/** Reads the `Destination` header of a COPY or MOVE: a path in the client's own tree. */
export function destinationOf(dav: DavRequest): DavPath {
  const { request, ctx, home } = dav
  const { mount, user } = home ?? { mount: dav.mount, user: ctx.user }
  const hosts = hostsOf(request, ctx.config.publicUrl)
  return readDestination(mountsBeside(mount, user), headerOf(dav, 'destination'), hosts)
}

/** Reads the `Overwrite` header of a COPY or MOVE. */
export function readOverwrite(dav: DavRequest): 'T' | 'F' {
  const overwrite = headerOf(dav, 'overwrite')?.trim().toUpperCase() ?? 'T'
  if (overwrite !== 'T' && overwrite !== 'F') throw new DavError(400, 'The Overwrite header must be T or F.')
  return overwrite
}

/** Returns a path of the member's tree as one below the shared folder, or undefined if it leads elsewhere. */
export function pathInside({ at }: Home, path: DavPath): DavPath | undefined {
  return at.every((name, index) => name === path[index]) ? path.slice(at.length) : undefined
}

/** Returns the hosts by which this server is known: the one of the request, and the public one behind a proxy. */
export function hostsOf(request: FastifyRequest, publicUrl: string): string[] {
  return [request.host, request.headers.host ?? '', new URL(publicUrl).host].filter((host) => host !== '')
}

/** Returns the live properties that exist at a mount. */
export function propertiesOf({ isRemote }: Mount): LiveProperties {
  return isRemote ? remoteProperties : davProperties
}

/** Returns what is needed to write properties of a resource, and of those below it. */
export function writingFor({ ctx, mount }: DavRequest, { chain, path }: Found): Writing {
  return {
    now: ctx.clock.now(),
    properties: propertiesOf(mount),
    hrefOfFolder: (itemId) => {
      // A lock above the root of the mount covers it as a whole.
      const depth = Math.max(
        0,
        chain.findIndex(({ id }) => id === itemId),
      )
      return writeHref(mount, path.slice(0, depth), 'folder')
    },
  }
}
