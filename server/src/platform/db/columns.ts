import type { ItemTable, UploadTable } from './tables.ts'

// The columns that prepared statements select. PostgreSQL refuses a prepared `select *` once a newer server has added a column.

/** The columns of an item with what tells how a file got its bytes (`ItemWithHistory`). */
export const itemColumns = [
  ...(['id', 'owner_id', 'parent_id', 'area', 'kind', 'name', 'sort_key', 'extension', 'size', 'blob_key'] as const),
  ...(['restored_version', 'replaced_at', 'replaced_in', 'favorite_at', 'vault_check', 'shared_at'] as const),
  ...(['trashed_at', 'trashed_by', 'trashed_by_email', 'deletion_group', 'trash_id'] as const),
  ...(['created_at', 'updated_at', 'modified_at', 'changed_in', 'tree_size', 'mount_of'] as const),
] satisfies readonly (keyof ItemTable)[]

/** All columns of an upload. */
export const uploadColumns = [
  ...(['id', 'owner_id', 'filename', 'total_chunks', 'total_size', 'chunk_size', 'received_bytes'] as const),
  ...(['reserved_bytes', 'area', 'folder_id', 'folders', 'on_conflict', 'blob_key', 'vault_check'] as const),
  ...(['modified_at', 'thinned_bytes', 'item_id', 'completed_at', 'expires_at'] as const),
  ...(['submission_id', 'link_id', 'member_id'] as const),
] satisfies readonly (keyof UploadTable)[]
