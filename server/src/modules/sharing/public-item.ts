import { mimeTypeOf } from '@alcove/contract/file-types'
import type { PathStep } from '@alcove/contract/items'
import type { PublicFile, PublicFolder, PublicFolderContents } from '@alcove/contract/sharing'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow, UserRow } from '../../platform/db/tables.ts'
import { measureFolderOnce } from '../items/index.ts'

function presentAny(row: ItemRow) {
  return {
    id: row.id,
    name: row.name,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    isEncrypted: row.area === 'vault',
  }
}

/** What visitors are told of the owner: the display name, where there is one. */
export function presentOwner({ display_name }: Pick<UserRow, 'display_name'>): { sharedBy?: string } {
  return display_name === null ? {} : { sharedBy: display_name }
}

/** A file as visitors see it. */
export function presentPublicFile(row: ItemRow): PublicFile {
  return {
    ...presentAny(row),
    type: 'file',
    filename: row.name,
    mimeType: mimeTypeOf(row.name),
    size: row.size,
    ...(row.vault_check !== null && { vaultCheck: row.vault_check }),
  }
}

function presentPublicFolder(row: ItemRow): PublicFolder {
  return { ...presentAny(row), type: 'folder' }
}

/** A folder as visitors see it, with what is in it in natural order of names. */
export async function readPublicFolder(db: Database, folder: ItemRow, path: PathStep[]): Promise<PublicFolderContents> {
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
