import { mimeTypeOf } from '@alcove/contract/file-types'
import { formatTime } from '../../platform/format.ts'
import { escapeXml } from '../../platform/http/escape-xml.ts'
import type { Lock } from '../items/index.ts'
import { etagOf } from './etag.ts'
import type { Needs, Resource } from './resource.ts'
import { DAV, nameKey, OWNCLOUD, WINDOWS, type XmlName } from './write-xml.ts'

/** A property that the server computes. */
export interface LiveProperty {
  /** Returns its value as XML, or undefined if the resource doesn't have it. */
  readonly write: (resource: Resource, writing: Writing) => string | undefined
  /** Whether `allprop` includes it. Those that cost more, or that RFC 4331 excludes, must be named. */
  readonly isInAll: boolean
  readonly need?: keyof Needs
}

/** What properties need besides the resource. */
export interface Writing {
  readonly now: number
  /** Returns the address of a folder on the way to the resource, by the id of its item. */
  readonly hrefOfFolder: (itemId: string) => string
  readonly properties: LiveProperties
}

const dav = (local: string) => nameKey({ namespace: DAV, local })

const SUPPORTED_LOCKS = ['exclusive', 'shared']
  .map(
    (scope) => `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`,
  )
  .join('')

const ofFile = (write: (resource: Resource) => string) => (resource: Resource) =>
  resource.row.kind === 'file' ? write(resource) : undefined

const ofFolder = (write: (resource: Resource) => string | undefined) => (resource: Resource) =>
  resource.row.kind === 'folder' ? write(resource) : undefined

function writeEtag({ row, account }: Resource): string | undefined {
  const etag = etagOf(row, account?.followedSince, account?.role ?? account?.mountTags.get(row.id))
  return etag && escapeXml(etag)
}

/** Live properties by the keys of their names. */
export type LiveProperties = ReadonlyMap<string, LiveProperty>

/** The properties that every WebDAV client gets. */
export const davProperties: LiveProperties = new Map<string, LiveProperty>([
  [dav('creationdate'), { isInAll: true, write: ({ row }) => formatTime(row.created_at) }],
  // The root of a drive has no name.
  [dav('displayname'), { isInAll: true, write: ({ row }) => escapeXml(row.name || 'Alcove') }],
  [dav('getcontentlength'), { isInAll: true, write: ofFile(({ row }) => String(row.size)) }],
  [dav('getcontenttype'), { isInAll: true, write: ofFile(({ row }) => escapeXml(mimeTypeOf(row.name))) }],
  [dav('getetag'), { isInAll: true, need: 'account', write: writeEtag }],
  [
    dav('getlastmodified'),
    { isInAll: true, write: ({ row }) => new Date(row.modified_at ?? row.updated_at).toUTCString() },
  ],
  // Windows prefers its own date, which it also sets.
  [
    nameKey({ namespace: WINDOWS, local: 'Win32LastModifiedTime' }),
    { isInAll: false, write: ofFile(({ row }) => new Date(row.modified_at as number).toUTCString()) },
  ],
  [dav('resourcetype'), { isInAll: true, write: ({ row }) => (row.kind === 'folder' ? '<D:collection/>' : '') }],
  [dav('supportedlock'), { isInAll: true, write: () => SUPPORTED_LOCKS }],
  [dav('lockdiscovery'), { isInAll: true, need: 'locks', write: writeLocks }],
  [
    dav('quota-available-bytes'),
    {
      isInAll: false,
      need: 'account',
      write: ofFolder(({ account }) => account?.quota && String(account.quota.availableBytes)),
    },
  ],
  [
    dav('quota-used-bytes'),
    {
      isInAll: false,
      need: 'account',
      write: ofFolder(({ account }) => account?.quota && String(account.quota.usedBytes)),
    },
  ],
  [
    nameKey({ namespace: OWNCLOUD, local: 'checksums' }),
    { isInAll: false, need: 'checksums', write: ({ checksums }) => checksums && writeChecksums(checksums) },
  ],
])

/** Returns the names of live properties. */
export function listLiveNames(properties: LiveProperties): XmlName[] {
  return [...properties.keys()].map((key) => {
    const [, namespace = '', local = ''] = /^\{(.*)\}(.*)$/.exec(key) ?? []
    return { namespace, local }
  })
}

/** Writes checksums as ownCloud does: `SHA1:… MD5:… SHA256:…`, without those that are not known. */
export function describeChecksums({ sha1, md5, sha256 }: NonNullable<Resource['checksums']>): string {
  const known = [sha1 && `SHA1:${sha1}`, md5 && `MD5:${md5}`, sha256 && `SHA256:${sha256}`]
  return known.filter((one) => one !== null && one !== '').join(' ')
}

function writeChecksums(checksums: NonNullable<Resource['checksums']>): string | undefined {
  const known = describeChecksums(checksums)
  return known === '' ? undefined : `<oc:checksum>${known}</oc:checksum>`
}

/** Writes the locks that cover a resource (RFC 4918, section 15.8). */
export function writeLocks({ row, href, locks }: Pick<Resource, 'row' | 'href' | 'locks'>, writing: Writing): string {
  const rootOf = ({ itemId }: Lock) => (itemId === row.id ? href : writing.hrefOfFolder(itemId))
  return locks
    .map(
      (lock) =>
        `<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:${lock.scope}/></D:lockscope>` +
        `<D:depth>${lock.depth}</D:depth><D:owner>${lock.owner}</D:owner><D:timeout>Second-${Math.max(0, Math.ceil((lock.expiresAt - writing.now) / 1000))}</D:timeout>` +
        `<D:locktoken><D:href>${escapeXml(lock.token)}</D:href></D:locktoken>` +
        `<D:lockroot><D:href>${escapeXml(rootOf(lock))}</D:href></D:lockroot></D:activelock>`,
    )
    .join('')
}
