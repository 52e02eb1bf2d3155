import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '../../context.ts'
import { findMediaMetadata, isReadThoroughly, readMediaMetadata } from './media-metadata.ts'

/** The minimum pause between two files. */
const PAUSE = 20

/**
 * Reads the metadata of music and videos, newest first and one at a time, resting as long as it works. The rows alone
 * tell what hasn't been read, so it can stop at any time and run on several servers.
 */
export async function readMedia(services: Services, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  // A long read doesn't delay shutdown, because its process ends with the others.
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true, signal: over.signal }),
  )
  try {
    await Promise.race([readAll(services, signal), stopped])
  } finally {
    over.abort()
  }
}

async function readAll(services: Services, signal: AbortSignal): Promise<void> {
  let last: string | undefined
  for (;;) {
    last = await findUnread(services, last)
    if (last === undefined || signal.aborted) return
    const start = performance.now()
    await readBlob(services, last, signal)
    await wait(Math.max(PAUSE, performance.now() - start), undefined, { signal }).catch(() => {})
  }
}

async function findUnread({ db }: Services, before: string | undefined): Promise<string | undefined> {
  let unread = db
    .selectFrom('items')
    .select('blob_key')
    .where('media', 'is not', null)
    .where('media_read_at', 'is', null)
  if (before !== undefined) unread = unread.where('blob_key', '<', before)
  return (await unread.orderBy('blob_key', 'desc').limit(1).executeTakeFirst())?.blob_key ?? undefined
}

async function readBlob(services: Services, key: string, signal: AbortSignal): Promise<void> {
  try {
    // A copy of a known blob, or read by another server.
    const known = await findMediaMetadata(services, key)
    if (!known || !isReadThoroughly(known)) {
      await readMediaMetadata(services, key, true, { group: 'regular work', signal })
    }
    await services.db
      .updateTable('items')
      .set({ media_read_at: services.clock.now() })
      .where('blob_key', '=', key)
      .where('media', 'is not', null)
      .where('media_read_at', 'is', null)
      .execute()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
