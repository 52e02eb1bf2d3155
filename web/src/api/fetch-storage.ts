import { getStorage } from '@alcove/contract/files'
import { queryOptions } from '@tanstack/react-query'
import { send } from './api.ts'
import { noteFirstVersions } from './changes-elsewhere.ts'
import { queryKeys } from './query-keys.ts'
import { getSession, rememberPlan } from './session.ts'
import { announced } from './site-state.ts'
import { noteUnreadNotices } from './unread-notices.ts'

/** Fetches the user's storage limit and usage, and remembers their plan. */
async function fetchStorage(signal?: AbortSignal) {
  const { token } = getSession()
  const storage = await send(getStorage, {}, { signal })
  noteFirstVersions(storage)
  noteUnreadNotices(storage.unread_notices)
  announced.set(storage.announcement ?? null)
  rememberPlan({ planId: storage.plan_id, planName: storage.plan_name }, token)
  return storage
}

export const storageQuery = queryOptions({
  queryKey: queryKeys.storage,
  queryFn: ({ signal }) => fetchStorage(signal),
  // `useChangesElsewhere` polls on focus and compares versions.
  refetchOnWindowFocus: false,
})
