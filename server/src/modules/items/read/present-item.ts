import { mimeTypeOf } from '@alcove/contract/file-types'
import type { File, Folder, Item } from '@alcove/contract/items'
import type { SessionUser } from '../../../context.ts'
import type { Area, ItemRow } from '../../../platform/db/tables.ts'
import { formatTime } from '../../../platform/format.ts'
import type { BlobResponse } from '../../../platform/http/send-bytes.ts'

/** The columns that a response needs. Lists read no others, since each column of ten thousand rows takes time. */
const childColumns = [
  'id',
  'name',
  'size',
  'favorite_at',
  'shared_at',
  'created_at',
  'updated_at',
  'modified_at',
] as const satisfies readonly (keyof ItemRow)[]
/** What the items of a folder don't have in common. */
export type ChildRow = Pick<ItemRow, (typeof childColumns)[number]> & Partial<Pick<ItemRow, 'vault_check'>>
export type PresentedRow = ChildRow & Pick<ItemRow, 'parent_id' | 'area' | 'kind'>

/** Returns the columns that a list of a folder in an area reads. */
export function columnsOfChildren(area: Area): readonly (keyof ChildRow)[] {
  return area === 'vault' ? [...childColumns, 'vault_check'] : childColumns
}

/** Adds what all items of a kind in a folder have in common, so that it isn't read with each of ten thousand rows. */
export function withFolder(
  rows: readonly ChildRow[],
  { id: parent_id, area }: Pick<ItemRow, 'id' | 'area'>,
  kind: ItemRow['kind'],
): PresentedRow[] {
  return rows.map((row) => ({ ...row, parent_id, area, kind }))
}

/** Returns the columns that a list of items in several folders reads. */
export function columnsOf(area: Area): readonly (keyof PresentedRow)[] {
  return ['parent_id', 'area', 'kind', ...columnsOfChildren(area)]
}

export function presentItem(row: PresentedRow, user: SessionUser): Item {
  return row.kind === 'file' ? presentFile(row, user) : presentFolder(row, user)
}

/** Returns a file as the API presents it. Root folders have no id in the API. */
export function presentFile(row: PresentedRow, user: SessionUser): File {
  return {
    id: row.id,
    filename: row.name,
    name: row.name,
    folder_id: parentOf(row, user),
    type: 'file',
    mimeType: mimeTypeOf(row.name),
    size: row.size,
    modifiedAt: formatTime(row.modified_at as number),
    createdAt: formatTime(row.created_at),
    updatedAt: formatTime(row.updated_at),
    isEncrypted: row.area === 'vault',
    ...marksOf(row, user),
    ...(row.vault_check != null && { vaultCheck: row.vault_check }),
  }
}

export function presentFolder(row: PresentedRow, user: SessionUser): Folder {
  return {
    id: row.id,
    name: row.name,
    parentId: parentOf(row, user),
    type: 'folder',
    createdAt: formatTime(row.created_at),
    updatedAt: formatTime(row.updated_at),
    isEncrypted: row.area === 'vault',
    ...marksOf(row, user),
  }
}

/** Returns what the owner has marked, which members of a shared folder don't see. */
function marksOf({ favorite_at, shared_at }: PresentedRow, { member }: SessionUser) {
  return { isFavorite: !member && favorite_at !== null, isShared: !member && shared_at !== null }
}

/** Returns the folder of an item as the user sees it: null at the root, and for the shared folder itself that a member sees. */
export function parentOf(
  { id, parent_id }: Pick<ItemRow, 'id' | 'parent_id'>,
  user: Pick<SessionUser, 'member' | 'driveRootId' | 'vaultRootId'>,
): string | null {
  if (user.member) return id === user.driveRootId ? null : parent_id
  return withoutRoot(parent_id, user)
}

export function withoutRoot(
  parentId: string | null,
  user: Pick<SessionUser, 'driveRootId' | 'vaultRootId'>,
): string | null {
  return parentId === user.driveRootId || parentId === user.vaultRootId ? null : parentId
}

/** Returns a response with a file's bytes. Files in the vault are ciphertext, whatever their name says. */
export function fileResponse(file: ItemRow, disposition: 'inline' | 'attachment'): BlobResponse {
  return {
    kind: 'blob',
    blobKey: file.blob_key as string,
    size: file.size,
    filename: file.name,
    mimeType: file.area === 'vault' ? 'application/octet-stream' : mimeTypeOf(file.name),
    disposition,
    modifiedAt: file.modified_at as number,
  }
}
