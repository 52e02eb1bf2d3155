import { deleteAccount } from '@alcove/contract/accounts'
import { setAccountEnding } from '../../api/account-ending.ts'
import { ApiError, expireToken, send } from '../../api/api.ts'
import { forgetEverything, getSession } from '../../api/session.ts'

/** Deletes the account for good, whatever becomes of the dialog meanwhile, and has the browser forget it. */
export async function deleteAccountNow(): Promise<void> {
  setAccountEnding('deleting')
  try {
    await send(deleteAccount, {})
  } catch (error) {
    setAccountEnding('no')
    // The session had been over before, which is told as ever.
    if (error instanceof ApiError && error.status === 401) expireToken(getSession().token)
    throw error
  }
  setAccountEnding('deleted')
  forgetEverything()
}
