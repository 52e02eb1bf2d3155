import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { TOKEN_EXPIRED } from '../../../api/api.ts'
import { lazyModule, useLazyModule } from '../../../lib/lazy-module.ts'
import { cancelReauthentication, useAsked } from './pending-confirmation.ts'

const dialog = lazyModule(() => import('./ReauthenticationDialog.tsx'))

/** Asks the user to confirm who they are, when a call needs that. Leaving the screen cancels. */
export function Reauthentication() {
  const requested = useAsked()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect is what follows a change of screen
  useEffect(() => cancelReauthentication, [pathname])
  useEffect(() => {
    // The overlay of an expired session covers everything, and there is no session left to confirm.
    window.addEventListener(TOKEN_EXPIRED, cancelReauthentication)
    return () => window.removeEventListener(TOKEN_EXPIRED, cancelReauthentication)
  }, [])
  const part = useLazyModule(dialog, requested !== undefined)
  return part ? <part.ReauthenticationDialog requested={requested} /> : null
}
