import { MAX_DEPTH } from '@alcove/contract/limits'
import { FILE_NAME_EMPTY, findNameProblem, normalizeName } from '@alcove/contract/names'
import { DavError } from './dav-error.ts'

/** The names on the way from the root of a mount to a resource. Empty for the root. */
export type DavPath = readonly string[]

/** Where a tree is served. */
export interface Mount {
  /** Its address, as the client writes it, without a slash at its end. */
  readonly prefix: string
  /** The user whose address is the last part of the prefix, which can be written in any case and encoding. */
  readonly user?: string
  /** Whether it is for clients of Nextcloud and ownCloud, which want more properties. */
  readonly isRemote?: boolean
  /** The name of its root, if that is a shared folder. */
  readonly name?: string
}

/**
 * Reads a path below a mount, as it is in a request line or header: percent-encoded, or as raw bytes that Node reads as Latin-1.
 * Returns undefined if it isn't below the mount. Throws 400 if a name can't be one (`..`, `%2F`, `%00`, invalid UTF-8). Repeated
 * slashes count as one.
 */
export function readPath(mount: Mount, target: string): DavPath | undefined {
  const [path = ''] = target.split('?', 1)
  if (path.includes('#')) throw new DavError(400, 'A path cannot contain "#". Encode it as %23.')
  const segments = path.split('/').filter((segment) => segment !== '')
  const prefix = mount.prefix.split('/').filter((segment) => segment !== '')
  const isUser = (index: number) => mount.user !== undefined && index === prefix.length - 1
  const isBelow = prefix.every((segment, index) =>
    isUser(index) ? readUser(segments[index]) === mount.user : segment === segments[index],
  )
  if (!isBelow) return undefined
  const names = segments.slice(prefix.length).map(readName)
  // A file can be one level below the deepest folder.
  if (names.length > MAX_DEPTH + 1) {
    throw new DavError(400, `Folders can be nested at most ${MAX_DEPTH} levels deep.`)
  }
  return names
}

/** Decodes the address of a user in a path, in lower case. Returns undefined if it is malformed. */
export function readUser(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment).toLowerCase()
  } catch {
    return undefined
  }
}

/** Decodes one name. Invalid UTF-8, overlong forms included, is refused instead of replaced. */
function readName(segment: string): string {
  if (/%(?![\da-f]{2})/i.test(segment)) throw new DavError(400, 'The percent-encoding of this path is malformed.')
  const bytes = Buffer.from(
    segment.replace(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  let decoded: string
  try {
    decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new DavError(400, 'The path is not valid UTF-8.')
  }
  const name = normalizeName(decoded)
  const problem = findNameProblem(name, FILE_NAME_EMPTY)
  if (problem !== undefined) throw new DavError(400, problem)
  return name
}

/** Reads a `Destination` header: an absolute path, or a URL on one of the hosts of this server. */
export function readDestination(
  mounts: readonly Mount[],
  header: string | undefined,
  hosts: readonly string[],
): DavPath {
  const target = readTarget(header ?? '', hosts)
  if (target === undefined) throw new DavError(400, 'The Destination header must be a URL of this server.')
  if (target === 'elsewhere') throw new DavError(502, 'The destination is on another server.')
  const names = readPathIn(mounts, target.path)
  if (!names) throw new DavError(403, `The destination must be below ${mounts[0]?.prefix}/.`)
  return names
}

/** Reads a path below one of several mounts. Returns undefined if it is below none. */
export function readPathIn(mounts: readonly Mount[], target: string): DavPath | undefined {
  for (const mount of mounts) {
    const names = readPath(mount, target)
    if (names) return names
  }
  return undefined
}

/** Reads a reference to a resource: its path, or 'elsewhere' if it is on another host. Returns undefined if it is malformed. */
export function readTarget(reference: string, hosts: readonly string[]): { path: string } | 'elsewhere' | undefined {
  const [, host, path] = /^(?:https?:\/\/([^/?#]*))?(\/[^?#]*)$/i.exec(reference.trim()) ?? []
  if (path === undefined) return undefined
  return host === undefined || hosts.some((own) => isSameHost(own, host)) ? { path } : 'elsewhere'
}

/** Compares hosts. A proxy may end TLS, so the default ports of HTTP and HTTPS count as none. */
function isSameHost(own: string, given: string): boolean {
  const bare = (host: string) =>
    host
      .replace(/^.*@/, '')
      .replace(/:(80|443)$/, '')
      .toLowerCase()
  return bare(own) === bare(given)
}

/** Returns the address of a resource: an absolute path, percent-encoded. Folders end in a slash. */
export function writeHref({ prefix }: Mount, path: DavPath, kind: 'file' | 'folder'): string {
  const encoded = path.map((name) => `/${encodeName(name)}`).join('')
  return `${prefix}${encoded}${kind === 'folder' ? '/' : ''}`
}

/** Encodes a name, with the signs that XML and shells treat in a special way. */
export function encodeName(name: string): string {
  if (/^[\w.~-]*$/.test(name)) return name
  return encodeURIComponent(name).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
