import { mimeTypeOf } from '@alcove/contract/file-types'
import type { File, Folder } from '@alcove/contract/items'
import type { SessionUser } from '../context.ts'
import type { ItemRow } from '../platform/db/tables.ts'

/** An item as it travels: the roots have no id outside. */
export function presentFile(row: ItemRow, user: SessionUser): File {
  return {
    id: row.id,
    filename: row.name,
    name: row.name,
    folder_id: withoutRoot(row.parent_id, user),
    type: 'file',
    mimeType: mimeTypeOf(row.name),
    size: row.size,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    isEncrypted: row.area === 'vault',
    isFavorite: row.favorite_at !== null,
  }
}

export function presentFolder(row: ItemRow, user: SessionUser): Folder {
  return {
    id: row.id,
    name: row.name,
    parentId: withoutRoot(row.parent_id, user),
    type: 'folder',
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    isFavorite: row.favorite_at !== null,
  }
}

export function withoutRoot(parentId: string | null, user: SessionUser): string | null {
  return parentId === user.driveRootId || parentId === user.vaultRootId ? null : parentId
}
