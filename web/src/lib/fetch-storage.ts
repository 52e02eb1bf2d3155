import { getStorage } from '@alcove/contract/files'
import { send } from './api.ts'
import { rememberPlan } from './remember-plan.ts'
import { getSession } from './session.ts'

/** How much room the user has and uses, and by which plan, which is remembered. */
export async function fetchStorage(signal?: AbortSignal) {
  const { token } = getSession()
  const storage = await send(getStorage, {}, { signal })
  rememberPlan({ planId: storage.plan_id, planName: storage.plan_name }, token)
  return storage
}
