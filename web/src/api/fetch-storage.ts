import { getStorage } from '@alcove/contract/files'
import { queryOptions } from '@tanstack/react-query'
import { send } from './api.ts'
import { noteFirstVersion } from './changes-elsewhere.ts'
import { queryKeys } from './query-keys.ts'
import { rememberPlan } from './remember-plan.ts'
import { getSession } from './session.ts'

/** How much room the user has and uses, and by which plan, which is remembered. */
async function fetchStorage(signal?: AbortSignal) {
  const { token } = getSession()
  const storage = await send(getStorage, {}, { signal })
  noteFirstVersion(storage.version)
  rememberPlan({ planId: storage.plan_id, planName: storage.plan_name }, token)
  return storage
}

export const storageQuery = queryOptions({
  queryKey: queryKeys.storage,
  queryFn: ({ signal }) => fetchStorage(signal),
  // `useChangesElsewhere` looks then, and compares versions.
  refetchOnWindowFocus: false,
})
