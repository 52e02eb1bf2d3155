import type { SessionUser } from '../../context.ts'
import { DavError } from './dav-error.ts'
import { type Mount, readUser } from './dav-path.ts'

/** The address of the user's drive for every WebDAV client. */
export const DRIVE: Mount = { prefix: '/dav' }

/** The old address of the drive for clients of Nextcloud and ownCloud. */
const WEBDAV: Mount = { prefix: '/remote.php/webdav', isRemote: true }

/** How a mount is found: its routes begin with `route`, and `open` returns it for an address and a user. */
export interface MountPoint {
  readonly route: string
  /** Throws 404 for the address of another user. */
  readonly open: (url: string, user: SessionUser) => Mount
}

/** Everything that a client of Nextcloud or ownCloud requests by an address that contains the user. */
export function userMountPoint(name: string): MountPoint {
  return { route: `/remote.php/dav/${name}/:user`, open: openUserMount }
}

export const davPoint: MountPoint = { route: '/dav', open: () => DRIVE }

/** The addresses of the drive for clients of Nextcloud and ownCloud. */
export const remotePoints: readonly MountPoint[] = [
  { route: '/remote.php/webdav', open: () => WEBDAV },
  userMountPoint('files'),
]

/**
 * Returns the mount of an address that contains the user, such as `/remote.php/dav/files/USER`. The prefix stays as the client
 * wrote it, because clients compare it with the addresses in responses. Throws 404 if it is another user's.
 */
function openUserMount(url: string, { email }: Pick<SessionUser, 'email'>): Mount {
  const segments = (url.split('?', 1)[0] as string).split('/').slice(0, 5)
  if (readUser(segments[4]) !== email) throw new DavError(404, 'Nothing is at this address.')
  return { prefix: segments.join('/'), user: email, isRemote: true }
}

/** Returns all mounts of the drive that a client of one of them may name as well, beginning with that one. */
export function mountsBeside(mount: Mount, { email }: Pick<SessionUser, 'email'>): Mount[] {
  if (mount.isRemote !== true) return [mount]
  return [{ prefix: `/remote.php/dav/files/${encodeURIComponent(email)}`, user: email, isRemote: true }, WEBDAV]
}
