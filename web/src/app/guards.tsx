import { IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { useAccountEnding } from '../api/api.ts'
import { hasSignedOut, isPaid, updateSession, useSession } from '../api/session.ts'
import { notifyWithAction } from '../ui/toasts/notify.tsx'
import { useSessionExpired } from './session-expiry.ts'
import { useShownUser } from './shown-user.ts'

/** Admits signed-in users, each to pages of their own. Sends others to /login, which then leads back here. */
export function RequireUser() {
  const { token } = useSession()
  const isExpired = useSessionExpired()
  const isEnding = useAccountEnding() !== 'no'
  const user = useShownUser()
  const [wasSignedIn] = useState(token !== undefined)
  return token || isExpired || isEnding ? <Outlet key={user} /> : <RedirectToLogin wasSignedIn={wasSignedIn} />
}

interface RedirectToLoginProps {
  /** Whether the user has signed out elsewhere, or the session has expired there, while the page was open. */
  readonly wasSignedIn: boolean
}

function RedirectToLogin({ wasSignedIn }: RedirectToLoginProps) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    // Signing out has already navigated elsewhere, which is not rendered yet.
    if (window.location.pathname !== pathname) return
    // Whoever signs in after a sign-out may be somebody else. A plan that was chosen before would lead to the payment instead.
    if (!wasSignedIn || !hasSignedOut()) updateSession({ target: pathname + search, pendingPlan: undefined })
    void navigate('/login', { replace: true })
  }, [pathname, search, wasSignedIn, navigate])
  return null
}

/** Admits users with a paid plan. Sends others to /profile with a message. */
export function RequirePaid() {
  return isPaid(useSession()) ? <Outlet /> : <RedirectToProfile />
}

const paidScreens: Readonly<Record<string, string>> = { '/vault': 'Vault', '/music': 'Music', '/video': 'Video' }

function RedirectToProfile() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    const name = paidScreens[pathname]
    if (name) {
      notifyWithAction(
        `${name} is part of the paid plans.`,
        { label: 'Subscriptions', run: () => void navigate('/subscriptions') },
        { icon: <IconInfoCircle size={20} stroke={1.75} /> },
      )
    }
    void navigate('/profile', { replace: true })
  }, [pathname, navigate])
  return null
}

/** Admits visitors who are not signed in. Sends others to the landing page. */
export function RequireVisitor() {
  const { token } = useSession()
  return token ? <Navigate to="/" replace /> : <Outlet />
}
