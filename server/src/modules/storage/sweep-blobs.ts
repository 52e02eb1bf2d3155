import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'

/**
 * Bytes without a row are kept for this long, because they may belong to an upload whose row is about to be written.
 */
const GRACE = 24 * 3_600_000
const PAGE = 500
/** The first millisecond of the year 10000, later than anything was written. */
const END_OF_TIME = 253_402_300_800_000

/** How long bytes must be without a row, measured with a clock that nobody can set. In milliseconds. */
const SECOND_LOOK_AFTER = 10 * 60_000
/** How many are remembered for the second check. Others are found again later. */
const MAX_FOUND = 100_000

/**
 * Removes bytes that nothing refers to, which a crash between bytes and rows leaves behind. Safe at any time, even if
 * the clock was set forward and new bytes look old: bytes are removed only if nothing refers to them at a second check
 * either.
 */
export async function sweepBlobs(
  services: Pick<Services, 'db' | 'blobs' | 'clock' | 'log'>,
  { signal, pause = SECOND_LOOK_AFTER }: { signal?: AbortSignal; pause?: number } = {},
): Promise<void> {
  const { db, blobs, clock, log } = services
  const olderThan = clock.now() - GRACE
  const found = new Set<string>()
  await findUnusedBytes(services, (key) => {
    if (found.size < MAX_FOUND) found.add(key)
  })
  if (found.size === 0) return
  await wait(pause, undefined, { signal, ref: false }).catch(() => {})
  if (signal?.aborted) return
  const removed = await blobs.sweep(olderThan, async (keys) => {
    const used = await findUsedKeys(db, keys)
    return new Set(keys.filter((key) => used.has(key) || !found.has(key)))
  })
  if (removed > 0) log.info({ removed }, 'removed unreferenced bytes')
}

/**
 * Finds unreferenced bytes without removing them: those that the next sweep would remove or, with `withYoung`, all of
 * them, which may include files that are just arriving.
 */
export async function findUnusedBytes(
  { db, blobs, clock }: Pick<Services, 'db' | 'blobs' | 'clock'>,
  onUnused: (key: string) => void,
  { withYoung = false } = {},
): Promise<void> {
  await blobs.sweep(withYoung ? END_OF_TIME : clock.now() - GRACE, async (keys) => {
    const used = await findUsedKeys(db, keys)
    for (const key of keys) if (!used.has(key)) onUnused(key)
    // The store is told that all of them are in use, so that it removes none.
    return new Set(keys)
  })
}

/** Returns the names that belong to a blob, a thumbnail or an unfinished upload. */
async function findUsedKeys(db: Database, names: readonly string[]): Promise<Set<string>> {
  const used = new Set<string>()
  for (let start = 0; start < names.length; start += PAGE) {
    const some = names.slice(start, start + PAGE)
    const byKey = Map.groupBy(some, keyOf)
    const keys = [...byKey.keys()]
    const stored = await db.selectFrom('blobs').select('key').where('key', 'in', keys).execute()
    const arriving = await db
      .selectFrom('uploads')
      .select('blob_key')
      .where('blob_key', 'in', keys)
      .where('completed_at', 'is', null)
      .execute()
    const thumbnails = await db
      .selectFrom('thumbnails')
      .select('thumbnail_key')
      .where('thumbnail_key', 'in', keys)
      .execute()
    for (const { key } of stored) used.add(key)
    for (const { thumbnail_key } of thumbnails) used.add(thumbnail_key as string)
    // Files beside a blob belong to an incomplete upload, and to nothing afterwards.
    for (const { blob_key } of arriving) for (const name of byKey.get(blob_key) ?? []) used.add(name)
  }
  return used
}

/** A parked chunk is named after its blob's key, a dot and an ending. */
function keyOf(name: string): string {
  return name.split('.', 1)[0] as string
}
