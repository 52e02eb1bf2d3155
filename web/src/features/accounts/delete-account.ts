import { deleteAccount } from '@alcove/contract/accounts'
import { ApiError, expireToken, send, setAccountEnding } from '../../api/api.ts'
import { forgetEverything, getSession } from '../../api/session.ts'

/** Deletes the account for good, even if the dialog closes meanwhile, and clears what the browser stores about it. */
export async function deleteAccountNow(): Promise<void> {
  setAccountEnding('deleting')
  try {
    await send(deleteAccount, {})
  } catch (error) {
    setAccountEnding('no')
    // The session had already expired: report that as usual.
    if (error instanceof ApiError && error.status === 401) expireToken(getSession().token)
    throw error
  }
  setAccountEnding('deleted')
  forgetEverything()
}
