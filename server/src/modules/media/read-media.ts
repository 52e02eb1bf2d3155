import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '../../context.ts'
import { findMediaMetadata, isReadThoroughly, readMediaMetadata } from './media-metadata.ts'

/** The least that lies between two files. */
const PAUSE = 20

/**
 * Reads what music and videos say of themselves: the newest first, one at a time, with as much rest as work in between.
 * What has not been read is known from the rows alone, so it may be stopped at any time, and run on several servers.
 */
export async function readMedia(services: Services, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  // A long read does not hold up the end of the server: its process ends with the others.
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
    // A copy of what is known already, or another's work.
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
