import type { AnyCall, InputOf } from '@alcove/contract/call'
import type { QueryClient } from '@tanstack/react-query'
import { CallCancelled, send, sentenceOf } from '../../../api/api.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { refreshUsers } from './queries.ts'

/** Makes a call that changes a user, and says what was done or why it wasn't. Returns whether it was done. */
export async function sendAction<C extends AnyCall>(
  queryClient: QueryClient,
  userId: string,
  call: C,
  input: InputOf<C>,
): Promise<boolean> {
  try {
    const { message } = (await send(call, input)) as { message: string }
    notifySuccess(message)
    return true
  } catch (error) {
    if (!(error instanceof CallCancelled)) notifyError(sentenceOf(error) ?? 'Couldn’t do that. Try again.')
    return false
  } finally {
    refreshUsers(queryClient, userId)
  }
}
