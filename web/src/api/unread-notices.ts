import { createStore, useStore } from '../lib/store.ts'
import { getSession } from './session.ts'

/** The number of unread notices of a user, as the last response says that tells it. */
const unreadNotices = createStore<{ readonly user?: string; readonly count: number }>({ count: 0 })

/** Notes the number of unread notices that came with a response. */
export function noteUnreadNotices(count: number | undefined): void {
  if (count === undefined) return
  const user = getSession().userId
  const known = unreadNotices.get()
  if (known.count !== count || known.user !== user) unreadNotices.set({ user, count })
}

/** Returns the number of unread notices of the signed-in user. */
export function useUnreadNotices(): number {
  return useStore(unreadNotices, ({ user, count }) => (user === getSession().userId ? count : 0))
}
