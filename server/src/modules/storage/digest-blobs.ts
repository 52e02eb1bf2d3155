import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '../../context.ts'
import { WorkRefusedError } from '../../platform/processes/work-process.ts'

/** The minimum pause between two blobs. */
const PAUSE = 20

/** Blobs that could not be read. They are tried again after a restart. */
const unreadable = new Set<string>()

/** What clients compare files by. MD5 and SHA-1 are for those of other products (`oc:checksums`). */
const KINDS = ['sha256', 'sha1', 'md5'] as const

/**
 * Computes the digests of every blob without one, newest first and one at a time, resting as long as it works. The rows
 * alone tell what is missing, so it can stop at any time and run on several servers. `onDigest` is called after each.
 */
export async function digestBlobs(
  services: Services,
  signal: AbortSignal,
  onDigest: (key: string) => Promise<void> = async () => {},
): Promise<void> {
  let last: string | undefined
  try {
    for (;;) {
      last = await findUndigested(services, last)
      if (last === undefined || signal.aborted) return
      const start = performance.now()
      if (!unreadable.has(last)) {
        await digestBlob(services, last, signal)
        await onDigest(last)
      }
      await wait(Math.max(PAUSE, performance.now() - start), undefined, { signal }).catch(() => {})
    }
  } finally {
    services.digester.rest()
  }
}

async function findUndigested({ db }: Services, before: string | undefined): Promise<string | undefined> {
  let undigested = db.selectFrom('blobs').select('key').where('sha256', 'is', null)
  if (before !== undefined) undigested = undigested.where('key', '<', before)
  return (await undigested.orderBy('key', 'desc').limit(1).executeTakeFirst())?.key
}

async function digestBlob({ db, blobs, digester, log }: Services, key: string, signal: AbortSignal): Promise<void> {
  try {
    const digests = await blobs.withContent(key, (content) => digester.digest(content, KINDS, signal))
    await db.updateTable('blobs').set(digests).where('key', '=', key).where('sha256', 'is', null).execute()
  } catch (error) {
    if (signal.aborted) return
    // A failure to start a process is no fault of the blob.
    if (!(error instanceof WorkRefusedError)) throw error
    const isThere = await db.selectFrom('blobs').select('key').where('key', '=', key).executeTakeFirst()
    // It may have just been removed.
    if (!isThere) return
    unreadable.add(key)
    log.error({ err: error, key }, 'the digest of a blob could not be computed')
  }
}
