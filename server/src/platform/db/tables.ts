import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { Realm } from '../payments/payments.ts'

/** Which of the two databases the tables lie in. */
export type Engine = 'sqlite' | 'postgres'

/** The rows as they lie in the database. Times are milliseconds since 1970, sizes bytes, ids UUIDs as text. */
export interface Tables {
  users: UserTable
  sessions: SessionTable
  one_time_tokens: OneTimeTokenTable
  known_devices: KnownDeviceTable
  two_factor: TwoFactorTable
  recovery_codes: RecoveryCodeTable
  passkeys: PasskeyTable
  challenges: ChallengeTable
  items: ItemTable
  blobs: BlobTable
  blob_removals: BlobRemovalTable
  thumbnails: ThumbnailTable
  uploads: UploadTable
  upload_chunks: UploadChunkTable
  arriving_chunks: ArrivingChunkTable
  public_links: PublicLinkTable
  download_selections: DownloadSelectionTable
  search_pending: SearchPendingTable
  search_segments: SearchSegmentTable
  search_members: SearchMemberTable
  search_postings: SearchPostingTable
  billing_customers: BillingCustomerTable
  stripe_events: StripeEventTable
  billing_mails: BillingMailTable
  media_facts: MediaMetadataTable
  playlists: PlaylistTable
  playlist_tracks: PlaylistTrackTable
  jobs: JobTable
  unsealed_blobs: IncompleteBlobTable
  scrub: ScrubTable
  leases: LeaseTable
  move_marker: MoveMarkerTable
}

/** The two trees of a user, apart from each other. */
export type Area = 'drive' | 'vault'

export interface UserTable {
  id: string
  email: string
  password_hash: string
  activated_at: number | null
  /** Since then the account waits for, or has, another address than it was opened with. */
  email_changed_at: Generated<number | null>
  /** The address that was confirmed last, by the link of its mail. Null: the account was never activated. */
  confirmed_email: Generated<string | null>
  /** The network from which the address was claimed, until it is confirmed. */
  claimed_from: Generated<string | null>
  /** Of the secret that the browser which registered keeps, until the address is confirmed. */
  proof_hash: Generated<string | null>
  plan_id: number
  plan_name: string
  allocated_bytes: number
  /** Files, trash and vault. */
  used_bytes: number
  /** What unfinished uploads have taken of the quota. */
  reserved_bytes: number
  /** Files and folders, also in the trash and in the vault; without the two roots. */
  item_count: Generated<number>
  drive_root_id: string
  vault_root_id: string
  /** Counts the changes of the user's trees; raising it is how a change takes the user's lock. */
  tree_version: number
  created_at: number
  /** Since then there is no such account: what remains of it is being deleted. Null for all others. */
  deleted_at: Generated<number | null>
  /** Addresses that were signed for this user before then are good for nothing. */
  grants_revoked_at: Generated<number | null>
  /** What visitors of the user's links see as the owner's name. Null for none. */
  display_name: Generated<string | null>
}

export interface SessionTable {
  id: string
  user_id: string
  created_at: number
  expires_at: number
  /** Like `Chrome on Windows`. */
  device: Generated<string>
  /** From where it was last used. */
  ip: Generated<string | null>
  /** Moved on together with the end, now and then. */
  last_used_at: Generated<number>
  /** When its user was last asked to confirm who they are. Null where they only signed in. */
  confirmed_at: Generated<number | null>
}

export interface OneTimeTokenTable {
  token_hash: string
  user_id: string
  kind: 'activation' | 'reset'
  /** Where it was mailed to; once the account has another address it is good for nothing. */
  email: string
  expires_at: number
}

/** From where a user has signed in before, by browser and part of the net. */
export interface KnownDeviceTable {
  user_id: string
  device: string
  network: string
  seen_at: number
}

/** Two-factor sign-in of a user: begun with a secret, and on once a code of it has come back. */
export interface TwoFactorTable {
  user_id: string
  /** Encrypted. */
  secret: string
  begun_at: number
  enabled_at: number | null
  /** The time step of the last code that was accepted: it and all before it are used up. */
  last_step: Generated<number>
}

export interface RecoveryCodeTable {
  user_id: string
  code_hash: string
}

export interface PasskeyTable {
  id: string
  user_id: string
  /** What browsers know it by, in base64url. */
  credential_id: string
  /** COSE, in base64url. */
  public_key: string
  /** How often it has signed, as far as it counts. */
  counter: number
  /** A JSON list. */
  transports: string
  name: string
  /** Kept on several devices: 1, else 0. */
  is_synced: number
  created_at: number
  last_used_at: number | null
}

/** What a step of signing in, or a new passkey, has to answer. Only hashes are kept. */
export interface ChallengeTable {
  hash: string
  kind: 'code' | 'passkey' | 'new passkey'
  user_id: string | null
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
  /** What plays it, told by the database from the extension; null for all else, and in the vault. */
  media: GeneratedAlways<'audio' | 'video' | null>
  /** When a piece of music or a video was read for what it says of itself; null until then. */
  media_read_at: Generated<number | null>
  favorite_at: number | null
  /** Of a file of the vault: tells the right passphrase from a wrong one. Null where none came with it. */
  vault_check: string | null
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
  /** Since when its bytes are known to be missing or damaged; null where they are not. */
  damaged_at: Generated<number | null>
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
  /** What this upload has taken of the quota: what was announced, else what has arrived and what is on its way. */
  reserved_bytes: number
  area: Area
  folder_id: string | null
  /** The folders to be created below `folder_id`: a JSON list of names. */
  folders: string
  on_conflict: 'keepBoth' | 'replace' | 'fail'
  blob_key: string
  vault_check: string | null
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
  /** Its name when the segment was built, folded; null in segments that are older than this column. */
  folded: string | null
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
  /** In JSON: a list, or a folder with what is meant of it. */
  item_ids: string
  expires_at: number
}

/** A user who has been to pay, or has been given a plan, and what was last heard from the card provider. */
export interface BillingCustomerTable {
  user_id: string
  /** Where the customer is one: `live`, `test` or `sandbox`. */
  realm: Realm
  /** Null for who never paid, and for whom the provider has deleted. */
  customer_id: string | null
  /** Counts the customers made for this user. */
  customer_number: Generated<number>
  /** The one payment page that is open for this user, if it still is; and how many there have been. */
  checkout_id: string | null
  checkout_number: Generated<number>
  subscription_id: string | null
  status: Generated<'free' | 'active' | 'past_due' | 'lifetime' | 'incomplete'>
  /** Of what is paid for; also while it is past due for too long to be had. */
  plan_id: Generated<number>
  price_in_cents: Generated<number>
  currency: Generated<string>
  period_end: number | null
  /** When it ends by itself: it was cancelled for the end of its period. */
  ends_at: number | null
  /** Since when a payment is missing. */
  past_due_since: number | null
  /** The largest plan bought for good. */
  lifetime_plan_id: number | null
  /** A plan that the operator has given. */
  granted_plan_id: number | null
  /** Counts the questions to the provider; a response is written unless that of a later question has been. */
  sync_version: Generated<number>
  synced_version: Generated<number>
}

/** Webhooks that have been applied. */
export interface StripeEventTable {
  id: string
  received_at: number
}

/** Which mails about payments a user has been sent, so that each is sent once. */
export interface BillingMailTable {
  user_id: string
  /** Like `receipt in_123`. */
  about: string
}

/** What a piece of music or a video says of itself. */
export interface MediaMetadataTable {
  blob_key: string
  title: string | null
  artist: string | null
  album: string | null
  track: number | null
  /** Seconds. */
  duration: number | null
  /** 1, else 0. */
  has_cover: Generated<number>
  /** What it is made of, as JSON: `Streams` or `'none'`. Null where that was not found out. */
  streams: string | null
  read_at: number
}

export interface PlaylistTable {
  id: string
  owner_id: string
  name: string
  created_at: number
  updated_at: number
}

export interface PlaylistTrackTable {
  playlist_id: string
  place: number
  item_id: string
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
export type PasskeyRow = Selectable<PasskeyTable>
/** Without what only the reading of media needs. */
export type ItemRow = Omit<Selectable<ItemTable>, 'media' | 'media_read_at'>
export type PlaylistRow = Selectable<PlaylistTable>
export type PublicLinkRow = Selectable<PublicLinkTable>
export type BillingCustomerRow = Selectable<BillingCustomerTable>
/**
 * What a chunk of an upload without an announced size may take of the disk, reserved before it arrives. The row stays
 * where the chunk was broken off, since its bytes may be there, until it is sent again or the upload ends.
 */
export interface ArrivingChunkTable {
  upload_id: string
  chunk_index: number
  size: number
}

export type UploadRow = Selectable<UploadTable>

/** A blob that an object store has parts of, until it is sealed or given up. */
export interface IncompleteBlobTable {
  key: string
  /** What the store calls its multipart upload; null where there is none. */
  upload_id: string | null
}

/** How far the reading of all stored bytes is: one row, which is always there. */
export interface ScrubTable {
  id: number
  /** The key of the blob that was read last; empty at the beginning. */
  position: string
  /** What is left to be read in the round of this night; 0 at its end. */
  bytes_left: number
  round_began_at: number | null
  round_ended_at: number | null
}

/** Work that one process does at a time. `platform/db/leases.ts` takes, renews and releases these. */
export interface LeaseTable {
  name: string
  /** A random value that identifies the holder. */
  holder: string
  expires_at: number
}

/** What a target database knows while an instance is being moved into it: one row, or none. */
export interface MoveMarkerTable {
  id: number
  /** Identifies the instance by a digest of its secret. */
  instance: string
  /** Describes the store that receives the bytes. */
  store: string
  /** Whether all rows have arrived, so that a server may run here: 1, else 0. */
  are_rows_there: number
}
