import { randomId } from '../../lib/random-id.ts'

const LOCK_PREFIX = 'alcove-uploads-of-'

/** This tab, as long as it lives: what it has begun is its own until then. */
export const TAB = randomId()

// Locks are missing on a page that came by plain HTTP: then two tabs may offer the same upload.
const locks = typeof navigator === 'undefined' ? undefined : navigator.locks
void locks?.request(LOCK_PREFIX + TAB, () => new Promise(() => {})).catch(() => undefined)

/** Runs `take` once a tab has gone; of several tabs that wait for it, one after the other. */
export async function releasedBy(tab: string, take: () => Promise<void>): Promise<void> {
  if (locks) await locks.request(LOCK_PREFIX + tab, take).catch(() => undefined)
  else await take()
}
