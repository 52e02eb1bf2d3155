import { logout } from '@alcove/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { send } from '../api/api.ts'
import { updateSession } from '../api/session.ts'

/** Returns the function that signs out. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return async () => {
    // Leaves the page first: without a token, its guard would send the user to /login.
    await navigate('/')
    // Sent with the token before that is removed. If it fails, the session ends in this browser anyway.
    const ended = send(logout, {}).catch(() => undefined)
    updateSession({ token: undefined, planName: undefined, player: undefined })
    queryClient.clear()
    await ended
  }
}
