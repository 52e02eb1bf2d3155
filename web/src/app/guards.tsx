import { useEffect } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { useAccountEnding } from '../lib/account-ending.ts'
import { isPaid, updateSession, useSession } from '../lib/session.ts'
import { useSessionExpired } from './session-expiry.ts'

/** Lets the signed-in through; others go to /login, and from there back to where they wanted to be. */
export function RequireUser() {
  const { token } = useSession()
  const isExpired = useSessionExpired()
  const isEnding = useAccountEnding() !== 'no'
  return token || isExpired || isEnding ? <Outlet /> : <RedirectToLogin />
}

function RedirectToLogin() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    // Signing out has already led elsewhere, which only waits to be rendered.
    if (window.location.pathname !== pathname) return
    updateSession({ target: pathname + search })
    void navigate('/login', { replace: true })
  }, [pathname, search, navigate])
  return null
}

/** Lets paid plans through; the free plan goes to /profile. */
export function RequirePaid() {
  return isPaid(useSession()) ? <Outlet /> : <Navigate to="/profile" replace />
}

/** Lets through who is not signed in; others go to the landing page. */
export function RequireVisitor() {
  const { token } = useSession()
  return token ? <Navigate to="/" replace /> : <Outlet />
}
