import { calls } from '@alcove/contract/calls'
import { mimeTypeOf } from '@alcove/contract/file-types'
import type { PathStep } from '@alcove/contract/items'
import type { PublicFile, PublicFolder, PublicFolderContents } from '@alcove/contract/sharing'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow, UserRow } from '../../platform/db/tables.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { measureFolderOnce } from '../items/index.ts'
import { getInside, openLink } from './open-link.ts'

export const getPublicItem = endpoint(calls.getPublicItem, async (ctx, { token, access }) => {
  const shared = await openLink(ctx, token, access)
  const item = shared.kind === 'file' ? presentPublicFile(shared) : await readPublicFolder(ctx.db, shared, [])
  return { ...item, ...presentOwner(shared) }
})

export const getPublicFolder = endpoint(calls.getPublicFolder, async (ctx, { token, id, access }) => {
  const shared = await openLink(ctx, token, access)
  const { item, path } = await getInside(ctx.db, shared, id)
  if (item.kind !== 'folder') throw notFound('item')
  return { ...(await readPublicFolder(ctx.db, item, path)), ...presentOwner(shared) }
})

function presentAny(row: ItemRow) {
  return {
    id: row.id,
    name: row.name,
    createdAt: formatTime(row.created_at),
    updatedAt: formatTime(row.updated_at),
    isEncrypted: row.area === 'vault',
  }
}

/** Returns what visitors see of the owner: the display name, if set. */
function presentOwner({ display_name }: Pick<UserRow, 'display_name'>): { sharedBy?: string } {
  return display_name === null ? {} : { sharedBy: display_name }
}

/** Returns a file as visitors see it. */
function presentPublicFile(row: ItemRow): PublicFile {
  return {
    ...presentAny(row),
    type: 'file',
    filename: row.name,
    mimeType: mimeTypeOf(row.name),
    size: row.size,
    modifiedAt: formatTime(row.modified_at as number),
    ...(row.vault_check !== null && { vaultCheck: row.vault_check }),
  }
}

function presentPublicFolder(row: ItemRow): PublicFolder {
  return { ...presentAny(row), type: 'folder' }
}

/** Returns a folder as visitors see it, with its contents in natural order of names. */
async function readPublicFolder(db: Database, folder: ItemRow, path: PathStep[]): Promise<PublicFolderContents> {
  const contents = await measureFolderOnce(db, folder.owner_id, folder.id)
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('parent_id', '=', folder.id)
    .where('trashed_at', 'is', null)
    .orderBy('kind')
    .orderBy('sort_key')
    .orderBy('id')
    .execute()
  return {
    ...presentPublicFolder(folder),
    path,
    contents,
    subFolders: rows.filter((row) => row.kind === 'folder').map(presentPublicFolder),
    files: rows.filter((row) => row.kind === 'file').map(presentPublicFile),
  }
}
