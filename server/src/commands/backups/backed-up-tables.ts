import { HELD_REMOVALS } from '../../modules/storage/index.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { MOVING_IN } from '../moving/move-marker.ts'

const ALL = 'true'
const ofAFile = (column: string) => `exists (select 1 from items where items.blob_key = ${column})`

/**
 * Which rows of each table are in a backup, as a condition, and `undefined` where none are. In the order in which they can be put back: what
 * others refer to comes first. What is made of the rest is left out and made again: the search index by its triggers, thumbnails
 * when they are asked for. So are unfinished uploads, since their bytes still change, and what lives for minutes.
 */
export const backedUpTables: Readonly<Record<keyof Tables, string | undefined>> = {
  users: ALL,
  sessions: ALL,
  one_time_tokens: ALL,
  known_devices: ALL,
  two_factor: ALL,
  recovery_codes: ALL,
  passkeys: ALL,
  challenges: undefined,
  // Without those that wait for their removal.
  blobs: ofAFile('blobs.key'),
  blob_removals: undefined,
  items: ALL,
  thumbnails: undefined,
  media_facts: ofAFile('media_facts.blob_key'),
  // The responses to uploads that are sent once more.
  uploads: 'completed_at is not null',
  upload_chunks: undefined,
  arriving_chunks: undefined,
  unsealed_blobs: undefined,
  // About the bytes as they lie here.
  scrub: undefined,
  public_links: ALL,
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
  jobs: `kind not in ('${HELD_REMOVALS}', '${MOVING_IN}')`,
}

/** Columns that the database computes, so that it takes no values for them, and what is true only of the bytes as they lie here. */
const leftOut: Readonly<Partial<Record<keyof Tables, readonly string[]>>> = { items: ['media'], blobs: ['damaged_at'] }

/** What a row is in a backup. */
export function toBackedUpRow(table: keyof Tables, row: Record<string, unknown>): Record<string, unknown> {
  const kept = { ...row }
  for (const column of leftOut[table] ?? []) delete kept[column]
  // The uploads that they are reserved for are left out.
  if (table === 'users') kept.reserved_bytes = 0
  return kept
}
