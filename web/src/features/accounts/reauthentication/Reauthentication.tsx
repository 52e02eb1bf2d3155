import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { TOKEN_EXPIRED } from '../../../lib/api.ts'
import { later, useLater } from '../../../lib/later.ts'
import { cancelReauthentication, useAsked } from './asked.ts'

const dialog = later(() => import('./ReauthenticationDialog.tsx'))

/** Asks the user to confirm who they are, when a call needs that. Leaving the screen cancels. */
export function Reauthentication() {
  const asked = useAsked()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect is what follows a change of screen
  useEffect(() => cancelReauthentication, [pathname])
  useEffect(() => {
    // The overlay of an expired session covers everything, and there is no session left to confirm.
    window.addEventListener(TOKEN_EXPIRED, cancelReauthentication)
    return () => window.removeEventListener(TOKEN_EXPIRED, cancelReauthentication)
  }, [])
  const part = useLater(dialog, asked !== undefined)
  return part ? <part.ReauthenticationDialog asked={asked} /> : null
}
