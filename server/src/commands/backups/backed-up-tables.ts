import type { Tables } from '../../platform/db/tables.ts'

const ALL = 'true'
const ofAFile = (column: string) =>
  `(exists (select 1 from items where items.blob_key = ${column})
    or exists (select 1 from versions where versions.blob_key = ${column}))`

/**
 * Which rows of each table are in a backup, as a condition, or `undefined` for none. The tables are restored in this order. Users
 * come first, because the triggers of items read them; references may point to later tables. Derived data is left out and created
 * again: the search index by its triggers, thumbnails on demand. So are unfinished uploads, since their bytes still change, and
 * everything that lives only for minutes.
 */
export const backedUpTables: Readonly<Record<keyof Tables, string | undefined>> = {
  users: ALL,
  sessions: ALL,
  one_time_tokens: ALL,
  known_devices: ALL,
  two_factor: ALL,
  recovery_codes: ALL,
  passkeys: ALL,
  login_flows: undefined,
  challenges: undefined,
  oidc_flows: undefined,
  oidc_identities: ALL,
  oidc_sessions: ALL,
  // Blobs that are waiting to be removed are left out.
  blobs: ofAFile('blobs.key'),
  blob_removals: undefined,
  items: ALL,
  deletion_groups: ALL,
  notices: ALL,
  notice_settings: ALL,
  activities: ALL,
  app_passwords: ALL,
  file_numbers: ALL,
  item_properties: ALL,
  versions: ALL,
  locks: undefined,
  thumbnails: undefined,
  media_facts: ofAFile('media_facts.blob_key'),
  public_links: ALL,
  submissions: ALL,
  submission_folders: ALL,
  people_groups: ALL,
  group_people: ALL,
  group_identities: ALL,
  folder_groups: ALL,
  members: ALL,
  member_favorites: ALL,
  // The responses to completed uploads, for clients that retry.
  uploads: 'completed_at is not null',
  upload_chunks: undefined,
  arriving_chunks: undefined,
  unsealed_blobs: undefined,
  // Describes the bytes as they are stored here.
  scrub: undefined,
  download_selections: undefined,
  search_pending: undefined,
  search_segments: undefined,
  search_members: undefined,
  search_postings: undefined,
  billing_customers: ALL,
  stripe_events: ALL,
  billing_mails: ALL,
  playlists: ALL,
  playlist_tracks: ALL,
  jobs: ALL,
  invitations: ALL,
  site_settings: ALL,
  site_images: ALL,
  audit_log: ALL,
  storage_samples: ALL,
  // Describe this server and its backups.
  scheduled_runs: undefined,
  backup_runs: undefined,
  leases: undefined,
  move_marker: undefined,
}

/** Columns that the database computes, and columns that describe the bytes as they are stored here. */
const leftOut: Readonly<Partial<Record<keyof Tables, readonly string[]>>> = { items: ['media'], blobs: ['damaged_at'] }

/** Converts a row for the backup. */
export function toBackedUpRow(table: keyof Tables, row: Record<string, unknown>): Record<string, unknown> {
  const kept = { ...row }
  for (const column of leftOut[table] ?? []) delete kept[column]
  // The uploads that reserve these bytes are left out, and so are the locks.
  if (table === 'users') Object.assign(kept, { reserved_bytes: 0, locked_until: 0 })
  return kept
}
