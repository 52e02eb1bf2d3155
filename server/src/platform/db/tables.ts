import type { Generated, Selectable } from 'kysely'

/** Which of the two databases the tables lie in. */
export type Engine = 'sqlite' | 'postgres'

/** The rows as they lie in the database. Times are milliseconds since 1970, sizes bytes, ids UUIDs as text. */
export interface Tables {
  users: UserTable
  sessions: SessionTable
  one_time_tokens: OneTimeTokenTable
  items: ItemTable
  blobs: BlobTable
  blob_removals: BlobRemovalTable
  thumbnails: ThumbnailTable
  uploads: UploadTable
  upload_chunks: UploadChunkTable
  public_links: PublicLinkTable
  download_selections: DownloadSelectionTable
  search_pending: SearchPendingTable
  search_segments: SearchSegmentTable
  search_members: SearchMemberTable
  search_postings: SearchPostingTable
  jobs: JobTable
}

/** The two trees of a user, apart from each other. */
export type Area = 'drive' | 'vault'

export interface UserTable {
  id: string
  email: string
  password_hash: string
  activated_at: number | null
  plan_id: number
  plan_name: string
  allocated_bytes: number
  /** Files, trash and vault. */
  used_bytes: number
  /** What unfinished uploads have taken of the quota. */
  reserved_bytes: number
  drive_root_id: string
  vault_root_id: string
  /** Counts the changes of the user's trees; raising it is how a change takes the user's lock. */
  tree_version: number
  created_at: number
}

export interface SessionTable {
  id: string
  user_id: string
  created_at: number
  expires_at: number
}

export interface OneTimeTokenTable {
  token_hash: string
  user_id: string
  kind: 'activation' | 'reset'
  expires_at: number
}

/** A file or a folder. Only the two roots of a user have no parent. */
export interface ItemTable {
  id: string
  owner_id: string
  parent_id: string | null
  area: Area
  kind: 'file' | 'folder'
  name: string
  /** The name as siblings are compared by: case folded. */
  name_key: string
  /** The name in natural order, comparable byte by byte. */
  sort_key: string
  /** Of the name's key, without the dot; what lists are sorted by when by type. */
  extension: Generated<string>
  size: number
  blob_key: string | null
  favorite_at: number | null
  /** Since when the item's public link is enabled; null while it is not. */
  shared_at: number | null
  /** Set on an item that was itself put into the trash. */
  trashed_at: number | null
  /** Set on everything that is hidden by the trash: the id of the trashed item at or above this one. */
  trash_id: string | null
  created_at: number
  updated_at: number
}

/** Stored bytes that never change. */
export interface BlobTable {
  key: string
  size: number
  created_at: number
  /** In hexadecimal; null until it has been computed. */
  sha256: string | null
}

/** A small picture of what a blob shows, in one of a few sizes; its bytes are kept like those of a blob. */
export interface ThumbnailTable {
  blob_key: string
  size: number
  /** Null where none could be made: then that is remembered for a while. */
  thumbnail_key: string | null
  bytes: number
  made_at: number
}

/** Blobs whose last reader has gone, to be removed from the store. */
export interface BlobRemovalTable {
  blob_key: string
  queued_at: number
}

export interface UploadTable {
  id: string
  owner_id: string
  filename: string
  total_chunks: number
  /** As announced by the client. */
  total_size: number | null
  /** The size of every chunk but the last, once it is known. */
  chunk_size: number | null
  /** The bytes of the chunks that are there. */
  received_bytes: number
  /** What this upload has taken of the quota: what was announced, or what has arrived where that is more. */
  reserved_bytes: number
  area: Area
  folder_id: string | null
  /** The folders to be created below `folder_id`: a JSON list of names. */
  folders: string
  on_conflict: 'keepBoth' | 'replace' | 'fail'
  blob_key: string
  /** The file it became. */
  item_id: string | null
  completed_at: number | null
  expires_at: number
}

export interface UploadChunkTable {
  upload_id: string
  chunk_index: number
  size: number
  /** Kept beside its place, since that could not be known when it arrived: 1, else 0. */
  is_parked: number
}

/** An item's public link. Whether it is enabled stands with the item (`shared_at`), since lists show that. */
export interface PublicLinkTable {
  item_id: string
  token: string
  password_hash: string | null
  expires_at: number | null
  download_count: number
}

/** Names that searches have to look through one by one, until they are in the index. */
export interface SearchPendingTable {
  owner_id: string
  item_id: string
  name_key: string
  /** The version of the user's trees that brought the name. */
  stamp: number
}

/** A part of the index: the names of some items of one user. It is built once and never changes. */
export interface SearchSegmentTable {
  id: Generated<number>
  owner_id: string
  /** Retired ones are left for a moment to the searches that are reading them. */
  state: 'building' | 'ready' | 'retired'
  /** How many items are in it. */
  size: Generated<number>
  /** Many of its items are no longer to be found: 1, else 0. */
  is_stale: Generated<number>
  changed_at: number
}

/** Which item stands at a place of a segment. */
export interface SearchMemberTable {
  place: number
  item_id: string
}

/** At which places of a segment the name has a gram. */
export interface SearchPostingTable {
  segment: number
  gram: string
  places: Uint8Array
}

/** What a user has chosen to download as one ZIP, for as long as its address is good. */
export interface DownloadSelectionTable {
  id: string
  owner_id: string
  /** Of the ZIP. */
  name: string
  /** A JSON list. */
  item_ids: string
  expires_at: number
}

/** Work to be done soon, kept until it is done. */
export interface JobTable {
  id: string
  kind: string
  payload: string
  run_at: number
  attempts: number
}

export type UserRow = Selectable<UserTable>
export type ItemRow = Selectable<ItemTable>
export type PublicLinkRow = Selectable<PublicLinkTable>
export type UploadRow = Selectable<UploadTable>
