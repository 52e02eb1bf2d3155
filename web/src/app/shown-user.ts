import { getAccountEnding, subscribeToAccountEnding } from '../api/api.ts'
import { getSession, subscribeToSession } from '../api/session.ts'
import { createStore, useStore } from '../lib/store.ts'
import { queryClient } from './query-client.ts'
import { isExpired } from './session-expiry.ts'

/**
 * The user whose pages and data this tab shows. After a session has expired or an account was deleted, they stay below the overlay
 * until that has left the page.
 */
const shownUser = createStore(getSession().userId)

/** Returns a key for everything on screen that belongs to the user, so that nothing of it is left for the next one. */
export const useShownUser = () => useStore(shownUser)

function follow(): void {
  const { userId } = getSession()
  const isCovered = userId === undefined && (isExpired.get() !== false || getAccountEnding() !== 'no')
  if (isCovered || userId === shownUser.get()) return
  queryClient.clear()
  shownUser.set(userId)
}

if (typeof window !== 'undefined') {
  // The event of an expired session comes right after its token was removed.
  for (const subscribe of [subscribeToSession, isExpired.subscribe, subscribeToAccountEnding])
    subscribe(() => queueMicrotask(follow))
}
