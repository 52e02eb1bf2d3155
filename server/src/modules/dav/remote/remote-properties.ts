import { suffices } from '@alcove/contract/roles'
import { thumbnailKindOf } from '@alcove/contract/thumbnails'
import { escapeXml } from '../../../platform/http/escape-xml.ts'
import { davProperties, type LiveProperties, type LiveProperty } from '../live-properties.ts'
import type { Resource } from '../resource.ts'
import { DAV, NEXTCLOUD, nameKey, OWNCLOUD } from '../write-xml.ts'

/** Ends the ids of items, which begin with their numbers. Clients take the digits for the number. */
const INSTANCE = 'ocalcove'

/** Returns the id by which clients recognize an item that has moved: its number with at least 8 digits, and the instance. */
export function writeItemId(number: number): string {
  return `${String(number).padStart(8, '0')}${INSTANCE}`
}

/**
 * What may be done: share (R); get, delete, rename and move (GDNV); write a file (W); create files and folders in a folder (CK). Shared
 * by somebody else is S; then deleting, renaming and moving the shared folder itself concerns only its place in the own drive.
 */
function writePermissions({ row, account, isMount }: Resource): string {
  const { scope, role } = account ?? { scope: 'read' }
  const isFile = row.kind === 'file'
  if (role === undefined) return scope === 'write' ? `RGDNV${isFile ? 'W' : 'CK'}` : 'G'
  const mayAdd = scope !== 'read' && suffices(role, 'contributor')
  const mayChange = scope === 'write' && suffices(role, 'editor')
  const changes = isMount ? scope === 'write' : mayChange
  return `SG${changes ? 'DNV' : ''}${isFile && mayChange ? 'W' : ''}${!isFile && mayAdd ? 'CK' : ''}`
}

/** What can be granted by sharing, as Nextcloud's bits: reading (1). Without the bit for sharing (16), clients offer no link. */
export const SHARE_PERMISSIONS = 1 + 16

function writeSharePermissions({ account }: Resource): string {
  return String(account?.scope === 'write' && account.role === undefined ? SHARE_PERMISSIONS : 0)
}

/** A public link is the only way of sharing (3). */
function writeShareTypes({ row }: Resource): string {
  return row.shared_at === null ? '' : '<oc:share-type>3</oc:share-type>'
}

function writeSize({ totalSize }: Resource): string | undefined {
  return totalSize === undefined ? undefined : String(totalSize)
}

/** The namespace of Open Collaboration Services. */
const SHARING = 'http://open-collaboration-services.org/ns'

const seconds = (milliseconds: number) => String(Math.floor(milliseconds / 1000))

const oc = (local: string, property: Omit<LiveProperty, 'isInAll'>): [string, LiveProperty] => [
  nameKey({ namespace: OWNCLOUD, local }),
  { ...property, isInAll: false },
]
const nc = (local: string, property: Omit<LiveProperty, 'isInAll'>): [string, LiveProperty] => [
  nameKey({ namespace: NEXTCLOUD, local }),
  { ...property, isInAll: false },
]

export const FAVORITE = nameKey({ namespace: OWNCLOUD, local: 'favorite' })

/** The properties for clients of Nextcloud and ownCloud. */
export const remoteProperties: LiveProperties = new Map<string, LiveProperty>([
  ...davProperties,
  // Clients expect a number for folders too.
  [nameKey({ namespace: DAV, local: 'getcontentlength' }), { isInAll: true, need: 'sizes', write: writeSize }],
  oc('id', { need: 'numbers', write: ({ number }) => (number === undefined ? undefined : writeItemId(number)) }),
  oc('fileid', { need: 'numbers', write: ({ number }) => (number === undefined ? undefined : String(number)) }),
  oc('size', { need: 'sizes', write: writeSize }),
  oc('permissions', { need: 'account', write: writePermissions }),
  oc('favorite', { write: ({ row }) => (row.favorite_at === null ? '0' : '1') }),
  oc('owner-id', { need: 'account', write: ({ account }) => account && escapeXml(account.email) }),
  oc('owner-display-name', { need: 'account', write: ({ account }) => account && escapeXml(account.displayName) }),
  oc('share-types', { write: writeShareTypes }),
  [
    nameKey({ namespace: SHARING, local: 'share-permissions' }),
    { isInAll: false, need: 'account', write: writeSharePermissions },
  ],
  oc('comments-unread', { write: () => '0' }),
  nc('creation_time', { write: ({ row }) => seconds(row.created_at) }),
  nc('upload_time', { write: ({ row }) => seconds(row.created_at) }),
  nc('has-preview', {
    write: ({ row }) => String(row.kind === 'file' && row.size > 0 && thumbnailKindOf(row.name, true) !== undefined),
  }),
  nc('mount-type', { need: 'account', write: ({ account }) => (account?.role === undefined ? '' : 'shared') }),
  nc('is-mount-root', { write: ({ isMount }) => String(isMount) }),
  nc('is-encrypted', { write: () => '0' }),
])
