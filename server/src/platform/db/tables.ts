import type { ActivityAction } from '@alcove/contract/activity'
import type { Scope } from '@alcove/contract/call'
import type { LinkRight, VisitorName } from '@alcove/contract/links'
import type { Role } from '@alcove/contract/roles'
import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { Realm } from '../payments/payments.ts'

/** The database engine. */
export type Engine = 'sqlite' | 'postgres'

/** The rows as the database stores them. Times are milliseconds since 1970, sizes are bytes, ids are UUIDs as text. */
export interface Tables {
  users: UserTable
  sessions: SessionTable
  one_time_tokens: OneTimeTokenTable
  known_devices: KnownDeviceTable
  two_factor: TwoFactorTable
  recovery_codes: RecoveryCodeTable
  passkeys: PasskeyTable
  app_passwords: AppPasswordTable
  login_flows: LoginFlowTable
  challenges: ChallengeTable
  oidc_flows: OidcFlowTable
  oidc_identities: OidcIdentityTable
  oidc_sessions: OidcSessionTable
  deletion_groups: DeletionGroupTable
  notices: NoticeTable
  notice_settings: NoticeSettingTable
  activities: ActivityTable
  items: ItemTable
  file_numbers: FileNumberTable
  item_properties: ItemPropertyTable
  versions: VersionTable
  locks: LockTable
  blobs: BlobTable
  blob_removals: BlobRemovalTable
  thumbnails: ThumbnailTable
  uploads: UploadTable
  upload_chunks: UploadChunkTable
  arriving_chunks: ArrivingChunkTable
  public_links: PublicLinkTable
  submissions: SubmissionTable
  submission_folders: SubmissionFolderTable
  members: MemberTable
  member_favorites: MemberFavoriteTable
  people_groups: PeopleGroupTable
  group_people: GroupPersonTable
  group_identities: GroupIdentityTable
  folder_groups: FolderGroupTable
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
  invitations: InvitationTable
  site_settings: SiteSettingTable
  site_images: SiteImageTable
  audit_log: AuditLogTable
  scheduled_runs: ScheduledRunTable
  storage_samples: StorageSampleTable
  backup_runs: BackupRunTable
}

/** The two separate trees of a user. */
export type Area = 'drive' | 'vault'

export interface UserTable {
  id: string
  email: string
  password_hash: string
  activated_at: number | null
  /** When the account last requested or got another address than the one it was opened with. */
  email_changed_at: Generated<number | null>
  /** The address that was last confirmed by the link in a mail. Null if the account was never activated. */
  confirmed_email: Generated<string | null>
  /** The network from which the address was registered, until it is confirmed. */
  claimed_from: Generated<string | null>
  /** The hash of a secret that the registering browser keeps until the address is confirmed. */
  proof_hash: Generated<string | null>
  plan_id: number
  plan_name: string
  allocated_bytes: number
  /** Includes earlier versions, the trash and the vault. */
  used_bytes: number
  /** The part of `used_bytes` that earlier versions take. */
  version_bytes: Generated<number>
  /** The part of the quota that unfinished uploads have reserved. */
  reserved_bytes: number
  /** The bytes of the properties that WebDAV clients have stored with items. They don't count towards the quota. */
  property_bytes: Generated<number>
  /** The number of files and folders, including the trash and the vault, without the two roots. */
  item_count: Generated<number>
  /** The share of the quota, in percent, about which the user last got a notice. 0 for none, or after it has fallen. */
  storage_level: Generated<number>
  drive_root_id: string
  vault_root_id: string
  /** Counts the changes of the user's trees. Each change raises it first, which locks the user's row. */
  tree_version: number
  /** When the last lock of the user's items expires, so that changes of users without locks need not look for any. */
  locked_until: Generated<number>
  /** Since when sync clients follow changes of the user's folders, as a value of `tree_version`. Null if none does. */
  followed_since: Generated<number | null>
  created_at: number
  /** When the account was deleted; its leftovers are being removed. Null for all other accounts. */
  deleted_at: Generated<number | null>
  /** URLs that were signed for this user before this time are revoked. */
  grants_revoked_at: Generated<number | null>
  /** The owner's name that visitors of the user's links see. Null for none. */
  display_name: Generated<string | null>
  /** The name as searches compare it. Every statement that writes the name writes this too. */
  display_name_folded: Generated<string | null>
  site_role: Generated<UserRole>
  /** When an administrator suspended the account. Null for all others. A suspended user can't sign in, and nothing of theirs can be used. */
  suspended_at: Generated<number | null>
  /** When the account will be deleted because an administrator said so. Null for all others. */
  deletion_due_at: Generated<number | null>
  /** 1 if the account is suspended only because it will be deleted, else 0. */
  suspended_for_deletion: Generated<number>
  /** The quota that an administrator gave the user in place of the plan's. */
  own_quota: Generated<number | null>
  /** When a session of the user was last used, to within some minutes. */
  last_seen_at: Generated<number | null>
}

/** `admin` may use the calls below `/admin`. */
export type UserRole = 'user' | 'admin'

/** Invitations to create an account, until they are used. */
export interface InvitationTable {
  /** A UUID of version 7. The link contains it with a signature. */
  id: string
  email: string
  role: UserRole
  /** The plan that the account gets without payment. Null for that of new accounts. */
  plan_id: number | null
  /** The quota that the account gets, in bytes. Null for that of its plan. */
  quota: number | null
  /** The address of the administrator, or the name of whoever ran the command. */
  invited_by: string
  created_at: number
  expires_at: number
}
export type InvitationRow = Selectable<InvitationTable>

export interface SessionTable {
  id: string
  user_id: string
  created_at: number
  expires_at: number
  /** For example `Chrome on Windows`. */
  device: Generated<string>
  /** The address from which it was last used. */
  ip: Generated<string | null>
  /** Updated from time to time, together with `expires_at`. */
  last_used_at: Generated<number>
  /** When the user last confirmed their identity. Null if they have only signed in. */
  confirmed_at: Generated<number | null>
}

export interface OneTimeTokenTable {
  token_hash: string
  user_id: string
  kind: 'activation' | 'reset'
  /** The recipient of the mail. The token is invalid once the account has another address. */
  email: string
  expires_at: number
}

/** The devices from which a user has signed in before, by browser and network. */
export interface KnownDeviceTable {
  user_id: string
  device: string
  network: string
  seen_at: number
}

/** Two-factor sign-in of a user. Setup creates the secret; the first valid code enables it. */
export interface TwoFactorTable {
  user_id: string
  /** Encrypted. */
  secret: string
  begun_at: number
  enabled_at: number | null
  /** The time step of the last accepted code. Codes up to this step can't be used again. */
  last_step: Generated<number>
}

export interface RecoveryCodeTable {
  user_id: string
  code_hash: string
}

export interface PasskeyTable {
  id: string
  user_id: string
  /** The credential's id in WebAuthn, in base64url. */
  credential_id: string
  /** A COSE key, in base64url. */
  public_key: string
  /** The authenticator's signature counter, if it has one. */
  counter: number
  /** A JSON list. */
  transports: string
  name: string
  /** 1 if it is synced between devices, else 0. */
  is_synced: number
  created_at: number
  last_used_at: number | null
}

/** Passwords that apps use instead of the account's password, and scripts as API tokens. */
export interface AppPasswordTable {
  id: string
  user_id: string
  name: string
  scope: Scope
  /** The only folder that it can use. Null for the whole drive. */
  folder_id: string | null
  /** A keyed hash. */
  secret_hash: string
  created_at: number
  expires_at: number | null
  /** The last use, recorded at most once a minute: when, with which app, and from which address. */
  last_used_at: Generated<number | null>
  app: Generated<string | null>
  ip: Generated<string | null>
}

/**
 * Login flows of Nextcloud clients that the user has answered, until they expire. Without a row, a flow is still waiting for its
 * answer: what is known about it travels in the address of its page.
 */
export interface LoginFlowTable {
  /** The hash of the token with which the client polls. */
  hash: string
  /** The app password that the client gets. Null if the client was denied, or the app password was revoked. */
  app_password_id: string | null
  /** The app password itself, encrypted, until the client fetches it. */
  sealed_secret: string | null
  expires_at: number
}

/** Challenges for a sign-in step or a new passkey. Only hashes are stored. */
export interface ChallengeTable {
  hash: string
  kind: 'code' | 'passkey' | 'new passkey'
  user_id: string | null
  expires_at: number
}

/** Sign-ins through OpenID Connect providers that have been started, until the browser returns or ten minutes have passed. */
export interface OidcFlowTable {
  /** Of the secret that only the tab of the browser has. State, nonce and code verifier are derived from the secret. */
  hash: string
  provider: string
  issuer: string
  purpose: 'sign in' | 'link' | 'confirm'
  /** Who started it, and in which session. Null for a sign-in. */
  user_id: string | null
  session_id: string | null
  expires_at: number
}

/** The people at OpenID Connect providers who sign in to accounts here. */
export interface OidcIdentityTable {
  id: string
  user_id: string
  issuer: string
  /** Identifies the person at the issuer. Unlike the address, it never changes. */
  subject: string
  /** The address at the provider at the last sign-in. */
  email: string | null
  created_at: number
  last_used_at: number | null
  /** When the provider said in which groups the person is, in seconds. Null if it never did. */
  groups_as_of: Generated<number | null>
}

/** Sessions that began through a provider, for signing out there. */
export interface OidcSessionTable {
  session_id: string
  identity_id: string
  provider: string
  /** The session at the provider, if it says. */
  sid: string | null
  /** Encrypted. */
  sealed_id_token: string
}

/**
 * Deletions by one app. Until there is an alarm, a group holds those of about a minute, and lives for ten. The alarm makes one group of
 * them, to which the app's later deletions are added until it pauses for ten minutes.
 */
export interface DeletionGroupTable {
  id: string
  user_id: string
  /** The app password, which may have been revoked meanwhile, or the user who is a member of a shared folder. */
  app_password_id: string
  /** Empty for a member. */
  app_password_name: string
  /** For example `rclone`. For a member, their address. */
  app: string
  /** The address of the member of a shared folder who deleted the files. Null for an app. */
  member_email: Generated<string | null>
  started_at: number
  last_at: number
  /** The number of deleted files, including those in deleted folders. */
  files: number
  /** The number of files before the deletions of the last ten minutes. Null until they were counted. */
  total_files: number | null
  /** When it was recognized as a mass deletion. Null for all others. */
  alarmed_at: number | null
  /** When its owner hid the message about it. */
  dismissed_at: number | null
  /** When its owner restored it. Later deletions don't belong to it. */
  restored_at: number | null
}

/** A file or a folder. Only the two roots of a user have no parent. */
export interface ItemTable {
  id: string
  owner_id: string
  parent_id: string | null
  area: Area
  kind: 'file' | 'folder'
  name: string
  /** A key that sorts names in natural order when compared byte by byte. */
  sort_key: string
  /** The extension in lower case, without the dot. Lists sorted by type use it. */
  extension: Generated<string>
  size: number
  blob_key: string | null
  /** The version that was restored to become these bytes, as JSON (`RestoredVersion`). Null for bytes of an upload. */
  restored_version: Generated<string | null>
  /**
   * When a burst of saves began, and a hash of the session and name of its device. Null unless the bytes may belong to such a burst: if
   * they were restored, or were replaced by a person's choice. Of a file's first bytes, only the device is known, and only if an app
   * stored them.
   */
  replaced_at: Generated<number | null>
  replaced_in: Generated<string | null>
  /** Computed by the database from the extension. Null for other files and in the vault. */
  media: GeneratedAlways<'audio' | 'video' | null>
  /** When the metadata of a music file or video was read. Null until then. */
  media_read_at: Generated<number | null>
  favorite_at: number | null
  /** The check value of a vault file, which distinguishes the right passphrase from a wrong one. Null if none was sent. */
  vault_check: string | null
  /** When the item's public link was enabled. Null while it is disabled. */
  shared_at: number | null
  /** Set on an item that was trashed itself. */
  trashed_at: number | null
  /** The member of a shared folder who trashed this item, and their address at that time. Null if the owner did. */
  trashed_by: Generated<string | null>
  trashed_by_email: Generated<string | null>
  /** The group of deletions by an app or a member to which a trashed item belongs. That group may have been removed. */
  deletion_group: Generated<string | null>
  /** Set on every item that the trash hides: the id of the trashed item at or above this one. */
  trash_id: string | null
  created_at: number
  updated_at: number
  /** The file's own modification date. Null for folders. */
  modified_at: number | null
  /** The version of the user's trees in which something in a folder or below it last changed, if clients follow it. */
  changed_in: Generated<number | null>
  /** The total size of the visible files below a folder. Null for files, and until it has been measured. */
  tree_size: Generated<number | null>
  /**
   * The membership of a mount: a folder of somebody else that its member has placed here. It has no children and counts for nothing.
   * Null for all other items.
   */
  mount_of: Generated<string | null>
}

/** The numbers by which sync clients identify items. An item gets one when a client first sees it, and keeps it. */
export interface FileNumberTable {
  item_id: string
  number: number
}

/** A property that a WebDAV client has stored with an item: a dead property (RFC 4918, section 4). */
export interface ItemPropertyTable {
  item_id: string
  /** The XML namespace of its name. Empty for none. */
  namespace: string
  name: string
  /** The language of its value (`xml:lang`). */
  language: string | null
  /** XML that means the same anywhere. */
  value: string
  /** The bytes of its name and value. */
  size: number
}

/** Bytes that a file had before they were replaced. */
export interface VersionTable {
  id: string
  item_id: string
  owner_id: string
  blob_key: string
  size: number
  /** The date of the file with these bytes. */
  modified_at: number
  /** The check value of a vault file with these bytes. */
  vault_check: string | null
  /** When the bytes were replaced. Later than for every older version of the file, even if the clock was set back. */
  created_at: number
  /** The user who replaced them. */
  author_id: string
  /** The device or app with which they were replaced, for example `Chrome on Windows`. */
  device: string
  /** Null for most versions. A named version is only deleted by its owner. */
  name: string | null
}

/** Stored bytes that never change. */
export interface BlobTable {
  key: string
  size: number
  created_at: number
  /** In hexadecimal. Null until it has been computed. */
  sha256: string | null
  /** In hexadecimal. Null unless the bytes arrived through WebDAV, where clients compare these digests. */
  sha1: Generated<string | null>
  md5: Generated<string | null>
  /** When its bytes were found to be missing or damaged. Null if they are intact. */
  damaged_at: Generated<number | null>
}

/** A thumbnail of a blob in one of a few sizes. Its bytes are stored like those of a blob. */
export interface ThumbnailTable {
  blob_key: string
  size: number
  /** Null if none could be made. Such a failure is remembered for a while. */
  thumbnail_key: string | null
  bytes: number
  made_at: number
}

/** Blobs without a reference, to be removed from the store. */
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
  /** The size of every chunk except the last. Null until it is known. */
  chunk_size: number | null
  /** The total size of the chunks that have arrived. */
  received_bytes: number
  /** The reserved part of the quota: the announced size, or else the bytes that have arrived or are arriving. */
  reserved_bytes: number
  area: Area
  folder_id: string | null
  /** The folders to create below `folder_id`: a JSON list of names. */
  folders: string
  on_conflict: 'keepBoth' | 'replace' | 'fail'
  blob_key: string
  vault_check: string | null
  /** The file's own modification date. Null if the client announced none. */
  modified_at: Generated<number | null>
  /** The size of the versions that were deleted to make space for it. */
  thinned_bytes: Generated<number>
  /** The file that the upload created. */
  item_id: string | null
  completed_at: number | null
  expires_at: number
  /** The submission that a visitor's upload belongs to. Null for the user's own. */
  submission_id: Generated<string | null>
  /** The link of that submission. */
  link_id: Generated<string | null>
  /** The member of a shared folder who sends it. Null for the owner's own. */
  member_id: Generated<string | null>
}

export interface UploadChunkTable {
  upload_id: string
  chunk_index: number
  size: number
  /**
   * 1 if it isn't at its place in the blob, else 0: it is parked beside the blob because its offset was unknown when it arrived. A
   * chunk of a Nextcloud client arrives again, and is missing meanwhile.
   */
  is_parked: number
  /** The number that a client of Nextcloud gave it; the index is its place in the file. Null for our own uploads. */
  number: Generated<number | null>
}

/**
 * A public link of an item. Each item has at most one first link, whose address lasts as long as the item; the others come and go.
 * `items.shared_at` says whether any is enabled, because lists show that.
 */
export interface PublicLinkTable {
  id: string
  owner_id: string
  item_id: string
  /** 1 for the first link, else 0. */
  is_first: number
  token: string
  /** What the owner calls it. Visitors don't see it. */
  label: Generated<string>
  permission: LinkRight
  created_at: number
  /** Null while it is disabled. */
  enabled_at: number | null
  password_hash: Generated<string | null>
  expires_at: Generated<number | null>
  /** Started downloads. */
  download_count: Generated<number>
  max_downloads: Generated<number | null>
  /** What visitors read who are asked for files. */
  title: Generated<string | null>
  message: Generated<string | null>
  visitor_name: Generated<VisitorName>
  /** 1 if the files of each visitor go into a folder of their own. */
  folder_per_visitor: Generated<number>
  /** Limits of what visitors send. Null for none. */
  max_bytes: Generated<number | null>
  max_file_bytes: Generated<number | null>
  max_files: Generated<number | null>
  /** The allowed extensions in lower case: a JSON list. Null for all. */
  file_types: Generated<string | null>
  /** What visitors have sent, even if it was deleted later. */
  received_files: Generated<number>
  received_bytes: Generated<number>
}

/** What a visitor sends through a link. Its secret lets the visitor send files there, and nothing else. */
export interface SubmissionTable {
  id: string
  link_id: string
  secret_hash: string
  /** The password hash of the link when it was opened: another password ends the submission. */
  link_password: string | null
  visitor_name: string | null
  created_at: number
  last_at: number | null
  files: Generated<number>
  bytes: Generated<number>
}

/** The folder that a submission's topmost folder became: folders of different visitors are never merged. */
export interface SubmissionFolderTable {
  submission_id: string
  name: string
  folder_id: string
}

/** Someone with whom a folder is shared. An invitation is a member without `accepted_at`. */
export interface MemberTable {
  id: string
  folder_id: string
  /** The owner of the folder. */
  owner_id: string
  /** Null until the invitation is accepted. */
  user_id: string | null
  /** The invited address in lower case. Only someone who has confirmed it can accept. */
  email: string
  role: Role
  /** The user who sent the invitation: the owner or a manager. */
  invited_by: string
  created_at: number
  accepted_at: number | null
  /** When the owner offered the folder to this member. Null if they didn't. */
  offered_at: Generated<number | null>
  /** The group by which the person came, which gives the role. Null if the role was given to the person alone. */
  group_id: Generated<string | null>
  /** The only account that can accept the invitation, because it came by a group of a provider. Null for the account with the address. */
  account_id: Generated<string | null>
}

/** A user's own list of people. Nobody else sees it. */
/** A group of people: of a user, or of a sign-in provider. */
export interface PeopleGroupTable {
  id: string
  /** Null for a group of a provider. */
  owner_id: string | null
  name: string
  created_at: number
  /** The name of the provider whose group it is, and its issuer. Null for a group of a user. */
  provider: Generated<string | null>
  issuer: Generated<string | null>
}

/** Somebody in a group of a provider, known by the identity there: the user's address may change. */
export interface GroupIdentityTable {
  group_id: string
  identity_id: string
}

/** Somebody in a group of a user. */
export interface GroupPersonTable {
  group_id: string
  /** In lower case. */
  email: string
}

/** A folder that is shared with a group, by the folder's owner or a manager. Its people are rows of `members`. */
export interface FolderGroupTable {
  folder_id: string
  group_id: string
  role: Role
  created_at: number
}

/** Names that are not in the index yet. Searches scan them one by one. */
export interface SearchPendingTable {
  owner_id: string
  item_id: string
  name: string
  /** The version of the user's trees in which the name was set. */
  stamp: number
}

/** A segment of the search index: the names of some items of one user. It never changes once it is built. */
export interface SearchSegmentTable {
  id: Generated<number>
  owner_id: string
  /** Retired segments are kept for a moment for searches that are reading them. */
  state: 'building' | 'ready' | 'retired'
  /** The number of items in it. */
  size: Generated<number>
  /** 1 if it is to be rebuilt: many of its items can no longer be found, or an earlier version built it. Else 0. */
  is_stale: Generated<number>
  changed_at: number
}

/** The item at a position of a segment (its document id). */
export interface SearchMemberTable {
  place: number
  item_id: string
  /** The folded name when the segment was built. Null in segments that are older than this column. */
  folded: string | null
}

/** The positions in a segment whose names contain an n-gram. */
export interface SearchPostingTable {
  segment: number
  gram: string
  places: Uint8Array
}

/** An item of somebody else that a user has marked as a favorite, in a folder that is shared with the user. */
export interface MemberFavoriteTable {
  user_id: string
  item_id: string
  /** The membership through which it was marked. The mark ends with it. */
  member_id: string
  created_at: number
}

/** The items that a user downloads as one ZIP, while its URL is valid. */
export interface DownloadSelectionTable {
  id: string
  owner_id: string
  /** The name of the ZIP. */
  name: string
  /** JSON: a list, or a folder with the selected part of its contents. */
  item_ids: string
  expires_at: number
}

/** A user who has started a purchase or was granted a plan, with the state last read from the card provider. */
export interface BillingCustomerTable {
  user_id: string
  /** Where the customer exists: `live`, `test` or `sandbox`. */
  realm: Realm
  /** Null if the user never paid, or if the provider has deleted the customer. */
  customer_id: string | null
  /** Counts the customers that were created for this user. */
  customer_number: Generated<number>
  /** The latest payment page of this user, which may still be open. `checkout_number` counts all of them. */
  checkout_id: string | null
  checkout_number: Generated<number>
  subscription_id: string | null
  status: Generated<'free' | 'active' | 'past_due' | 'lifetime' | 'incomplete'>
  /** The plan of the subscription, even if it has been past due for too long to be in effect. */
  plan_id: Generated<number>
  price_in_cents: Generated<number>
  currency: Generated<string>
  period_end: number | null
  /** When the subscription ends if it was cancelled for the end of its period. */
  ends_at: number | null
  /** Since when a payment has been missing. */
  past_due_since: number | null
  /** The largest lifetime plan that was bought. */
  lifetime_plan_id: number | null
  /** A plan that the operator has granted. */
  granted_plan_id: number | null
  /** Counts the requests to the provider. A response is written unless that of a later request has been written. */
  sync_version: Generated<number>
  synced_version: Generated<number>
}

/** Webhooks that have been applied. */
export interface StripeEventTable {
  id: string
  received_at: number
}

/** The mails about payments that a user has been sent, so that each is sent once. */
export interface BillingMailTable {
  user_id: string
  /** For example `receipt in_123`. */
  about: string
}

/** The metadata of a music file or video. */
export interface MediaMetadataTable {
  blob_key: string
  title: string | null
  artist: string | null
  album: string | null
  track: number | null
  /** Seconds. */
  duration: number | null
  /** 1 if it has a cover, else 0. */
  has_cover: Generated<number>
  /** Its streams as JSON: `Streams` or `'none'`. Null if they are unknown. */
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

/** A message for a user about something that happened. `contract/src/notices.ts` describes the kinds and their data. */
export interface NoticeTable {
  id: string
  user_id: string
  kind: string
  /** JSON. */
  data: string
  /** How many similar events it stands for. */
  count: number
  /** Unread notices with the same bundle are one. Null if it always stands for one event. */
  bundle: string | null
  created_at: number
  /** When the last of its events happened. */
  updated_at: number
  read_at: number | null
  /** When the mail about it is due; 0 while it is being queued. Null if none is due. */
  mail_due_at: number | null
  /** How many of its events the mail is about. */
  mail_count: number
}

/** A user's choice whether notices of a kind are also sent by mail. Without a row they are. */
export interface NoticeSettingTable {
  user_id: string
  kind: string
  /** 1 or 0. */
  is_mailed: number
}

/** What an actor did in a folder within ten minutes. */
export interface ActivityTable {
  id: string
  /** The owner of the folder. */
  owner_id: string
  /** Where it happened, or where items were moved to. The folder may be gone, as may the others. */
  folder_id: string
  /** As it was then, like all names here. */
  folder_name: string
  /** From where items were moved. Null if they weren't. */
  origin_id: string | null
  origin_name: Generated<string | null>
  /** The user who did it. Null for visitors and the server. The account may be gone. */
  actor_id: string | null
  via: 'session' | 'app' | 'visitor' | 'server'
  /** The name of the app password, or the name that the visitor gave. */
  label: string | null
  action: ActivityAction
  count: number
  folder_count: number
  /** The first few items: JSON objects, joined by commas. */
  items: string
  /** How many of them there are, or more once they are enough. */
  shown: number
  /** Says what belongs together: changes of an owner's trees with the same bundle are one row. */
  bundle: string
  /** Never changes, so that pages neither skip nor repeat a row to which something is added meanwhile. */
  began_at: number
  last_at: number
}

/** Queued background work, kept until it is done. */
export interface JobTable {
  id: string
  kind: string
  payload: string
  run_at: number
  attempts: number
  /** When the attempt in progress began. Null while none is. */
  began_at: Generated<number | null>
  /** When it was given up. Then it isn't due any more, and an administrator decides about it. Null for all others. */
  failed_at: Generated<number | null>
  /** The first line of the error of the last attempt that failed. */
  last_error: Generated<string | null>
}

/** The last run of a scheduled job on a server. */
export interface ScheduledRunTable {
  name: string
  /** The name of the machine and the port. */
  server: string
  /** Milliseconds between the end of one run and the next. */
  every: number
  began_at: number
  /** Null while it runs. */
  ended_at: number | null
  /** The first line of the last error, which a run without an error doesn't remove. */
  error: string | null
  error_at: number | null
  updated_at: number
}

/** What was stored at the end of a day. */
export interface StorageSampleTable {
  /** For example `2026-05-02`, in UTC. */
  day: string
  users: number
  /** The sum of what counts towards the quotas of the users. */
  used_bytes: number
  blobs: number
  /** The sum of the sizes of all blobs. Copies share a blob, so it is less than `used_bytes`. */
  blob_bytes: number
}

/** A backup, or the verification of one. */
export interface BackupRunTable {
  id: string
  kind: 'backup' | 'verification'
  folder: string
  /** The name of the machine. */
  server: string
  began_at: number
  /** Renewed every few seconds while it runs. */
  updated_at: number
  /** Null while it runs. */
  ended_at: number | null
  /** Why it failed. Null if it didn't. */
  error: string | null
  /** The bytes that have been compared or copied. */
  done_bytes: number
  /** The bytes of all blobs. Null until they are known. */
  total_bytes: number | null
  blobs: number | null
  /** The bytes that were not in the folder yet. */
  copied_bytes: number | null
  /** When the backup was made that was verified. Null for a backup. */
  made_at: number | null
}

export type UserRow = Selectable<UserTable>
export type BlobRow = Selectable<BlobTable>
export type PasskeyRow = Selectable<PasskeyTable>
/** An item with what tells how a file got its bytes. */
export type ItemWithHistory = Omit<Selectable<ItemTable>, 'media' | 'media_read_at'>
/** An item without the columns that only the reading of media and the history need. */
export type ItemRow = Omit<ItemWithHistory, 'restored_version' | 'replaced_at' | 'replaced_in'>
export type PlaylistRow = Selectable<PlaylistTable>
export type PublicLinkRow = Selectable<PublicLinkTable>
export type BillingCustomerRow = Selectable<BillingCustomerTable>
/**
 * The disk space that is reserved for an arriving chunk of an upload without an announced size. If the chunk is interrupted, the
 * row stays until the chunk is sent again or the upload ends, because some of its bytes may be stored.
 */
export interface ArrivingChunkTable {
  upload_id: string
  chunk_index: number
  size: number
}

export type UploadRow = Selectable<UploadTable>

/** A blob of which an object store has parts, until it is sealed or removed. */
export interface IncompleteBlobTable {
  key: string
  /** The id of its multipart upload in the store. Null if there is none. */
  upload_id: string | null
}

/** The progress of the scrub of all stored bytes: always exactly one row. */
export interface ScrubTable {
  id: number
  /** The key of the blob that was read last. Empty at the beginning. */
  position: string
  /** The bytes that are left to read in this night's round. 0 at its end. */
  bytes_left: number
  round_began_at: number | null
  round_ended_at: number | null
  /** The bytes that the round reads in all. */
  round_bytes: Generated<number | null>
}

/** A write lock of an item (RFC 4918). A lock that has expired has no effect, whether or not its row still exists. */
export interface LockTable {
  /** A `urn:uuid:`. Whoever has it may change what it locks. */
  token: string
  /** The file or folder that was locked, its lock root. */
  item_id: string
  /** The owner of the item. */
  owner_id: string
  scope: 'exclusive' | 'shared'
  /** With 'infinity' it also locks everything below a folder. */
  depth: '0' | 'infinity'
  /** What the client says about its user: XML or text. */
  holder: string
  /** The app that holds it, for example `LibreOffice on Linux`. */
  app: string
  /** The session or app password that acquired it. */
  session_id: string
  created_at: number
  expires_at: number
}
export type LockRow = Selectable<LockTable>

/** A lease for work that one process does at a time. `platform/db/leases.ts` takes, renews and releases leases. */
export interface LeaseTable {
  name: string
  /** A random value that identifies the holder. */
  holder: string
  expires_at: number
}

/** The marker in a target database while an instance is being moved into it: one row, or none. */
export interface MoveMarkerTable {
  id: number
  /** Identifies the instance by a digest of its secret. */
  instance: string
  /** Describes the store that receives the bytes. */
  store: string
  /** 1 if all rows have arrived, so that a server may run here, else 0. */
  are_rows_there: number
}

/** What administrators have set (`modules/site/`). Without a row, the value comes from the environment or is the default. */
export interface SiteSettingTable {
  name: string
  /** JSON. */
  value: string
  updated_at: number
}

/** Pictures of the operator: the logo, and the icon drawn from it. They are small, and every server needs them. */
export interface SiteImageTable {
  kind: 'logo' | 'icon'
  /** Of the logo, shortened: the version in the address. */
  hash: string
  /** A PNG. */
  base64: string
}

/** What administrators have done. The database refuses changes of rows. */
export interface AuditLogTable {
  id: string
  at: number
  /** `command` for the command line, `token` for an app password, `server` for a scheduled job. */
  via: 'session' | 'token' | 'command' | 'setup' | 'server'
  /** Null for the command line. */
  actor_id: string | null
  /** The address of the user at that time, or the operating system's name of whoever ran the command. */
  actor: string
  ip: string | null
  /** For example `user.suspended`. */
  action: string
  /** What was changed, as text: the address of a user, the name of a setting. */
  target: string | null
  /** A JSON object. */
  details: string | null
}
