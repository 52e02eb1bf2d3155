import { useDocumentTitle } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Location, Outlet, ScrollRestoration, type UIMatch, useLocation, useMatches } from 'react-router'
import { useAccountEnding } from '../api/account-ending.ts'
import { Reauthentication } from '../features/accounts/reauthentication/Reauthentication.tsx'
import { lazyModule, loadModulesAfter, useLazyModule } from '../lib/lazy-module.ts'
import { useSessionExpired } from './session-expiry.ts'

const expiredOverlay = lazyModule(() => import('./SessionExpiredOverlay.tsx'))
const farewell = lazyModule(() => import('../features/accounts/Farewell.tsx'))

export function Root() {
  const matches = useMatches() as UIMatch<unknown, { title?: string } | undefined>[]
  useDocumentTitle(windowTitle(matches.at(-1)?.handle?.title))
  const { pathname, search } = useLocation()
  const folder = new URLSearchParams(search).get('folder')
  // A dialog belongs to the screen it was opened on: leaving it, or the folder it shows, closes the dialog.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect is what follows a change of screen
  useEffect(() => modals.closeAll(), [pathname, folder])
  const queryClient = useQueryClient()
  useEffect(() => loadModulesAfter(queryClient), [queryClient])
  // The page tells by itself from now on who is signed in (public/before-paint.js).
  useEffect(() => {
    for (const name of ['data-session', 'data-hold']) document.documentElement.removeAttribute(name)
  }, [])
  const isExpired = useSessionExpired()
  const expired = useLazyModule(expiredOverlay, isExpired)
  const isDeleted = useAccountEnding() === 'deleted'
  const part = useLazyModule(farewell, isDeleted)
  return (
    <>
      <Outlet />
      <Reauthentication />
      {isExpired && expired && <expired.SessionExpiredOverlay />}
      {isDeleted && part && <part.Farewell />}
      <ScrollRestoration getKey={placeOf} />
    </>
  )
}

/** Returns the title of the window for a screen's own title. */
export function windowTitle(title: string | undefined): string {
  return title ? `${title} · Alcove` : 'Alcove'
}

/** Where a scroll position belongs; the first screen of a visit has no key of its own but its address. */
function placeOf({ key, pathname, search }: Location): string {
  return key === 'default' ? pathname + search : key
}
