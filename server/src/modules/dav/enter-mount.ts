import type { DriveScope } from '@alcove/contract/call'
import type { Role } from '@alcove/contract/roles'
import { actInMount, explainToMember } from '../../platform/http/members.ts'
import { DavError } from './dav-error.ts'
import { writeHref } from './dav-path.ts'
import type { DavRequest } from './dav-request.ts'
import { resolvePath } from './resolve-path.ts'

/** The least role for what needs a scope of an app password. */
export const roleFor: Readonly<Record<DriveScope, Role>> = { read: 'viewer', upload: 'contributor', write: 'editor' }

/**
 * Continues below a shared folder that lies on the path of a request. Then the request is made for the owner of the folder, limited to
 * it and to the role, and the folder is the root. With `isOfPlace`, a request for the shared folder itself stays in the member's
 * own tree, because it concerns the folder's place there. One statement if the user has placed shared folders, two if one is on the path.
 * Throws 404 if the folder is in the trash of its owner, and 403 if the role doesn't suffice.
 */
export async function enterMount<Request extends Pick<DavRequest, 'ctx' | 'mount' | 'path' | 'home'>>(
  dav: Request,
  scope: DriveScope,
  { isOfPlace = false } = {},
): Promise<Request> {
  const { ctx, mount, path } = dav
  const { user, db } = ctx
  if (!user.hasMounts || path.length === 0) return dav
  const { chain } = await resolvePath(db, user, path)
  const top = chain.at(-1)
  if (!top?.mount_of) return dav
  const at = path.slice(0, chain.length - 1)
  if (isOfPlace && at.length === path.length) return dav
  const owner = await actInMount(db, user, roleFor[scope], top.mount_of)
  if (!owner) throw new DavError(404, 'Nothing is at this address.')
  const { lockTokens } = user
  return {
    ...dav,
    ctx: { ...ctx, user: { ...owner, ...(lockTokens && { lockTokens }) } },
    mount: { prefix: writeHref(mount, at, 'file'), name: top.name, isRemote: mount.isRemote === true },
    path: path.slice(at.length),
    home: { mount, user, at },
  }
}

/** Does the work of a request that may lie in a shared folder, as `enterMount` does. Errors tell nothing about the owner's account. */
export async function withinMount<Request extends Pick<DavRequest, 'ctx' | 'mount' | 'path' | 'home'>, T>(
  dav: Request,
  scope: DriveScope,
  work: (entered: Request) => Promise<T>,
  options: { isOfPlace?: boolean } = {},
): Promise<T> {
  const entered = await enterMount(dav, scope, options)
  if (!entered.home) return work(entered)
  return work(entered).catch((error: unknown) => {
    throw explainToMember(error)
  })
}
