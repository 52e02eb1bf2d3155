import { Button, Group, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, type Location, Outlet, ScrollRestoration, type UIMatch, useLocation, useMatches } from 'react-router'
import { useAccountEnding } from '../api/api.ts'
import { getSession, useSession } from '../api/session.ts'
import { maintenance } from '../api/site-state.ts'
import { Reauthentication } from '../features/accounts/reauthentication/Reauthentication.tsx'
import { lazyModule, loadModulesAfter, useLazyModule } from '../lib/lazy-module.ts'
import { maintenanceOfPage, siteName } from '../lib/site.ts'
import { useStore } from '../lib/store.ts'
import { Logo } from '../ui/Logo.tsx'
import styles from './Root.module.css'
import { useSessionExpired } from './session-expiry.ts'

const expiredOverlay = lazyModule(() => import('./SessionExpiredOverlay.tsx'))
const maintenancePage = lazyModule(() => import('../features/maintenance/MaintenancePage.tsx'))
const farewell = lazyModule(() => import('../features/accounts/Farewell.tsx'))

export function Root() {
  const matches = useMatches() as UIMatch<unknown, { title?: string } | undefined>[]
  useDocumentTitle(windowTitle(matches.at(-1)?.handle?.title))
  const { pathname, search } = useLocation()
  const folder = new URLSearchParams(search).get('folder')
  const closed = useMaintenance(pathname)
  const isOpen = closed === undefined
  // A dialog belongs to the screen, and to the folder, on which it was opened: leaving that closes the dialog, as maintenance does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change of screen
  useEffect(() => modals.closeAll(), [pathname, folder, isOpen])
  const queryClient = useQueryClient()
  useEffect(() => loadModulesAfter(queryClient), [queryClient])
  // Set by public/before-paint.js. From now on, the app shows itself who is signed in.
  useEffect(() => {
    for (const name of ['data-session', 'data-hold']) document.documentElement.removeAttribute(name)
  }, [])
  const closedPage = useLazyModule(maintenancePage, !isOpen)
  const isExpired = useSessionExpired()
  const expired = useLazyModule(expiredOverlay, isExpired !== false)
  const { token } = useSession()
  const isDeleted = useAccountEnding() === 'deleted'
  const farewellModule = useLazyModule(farewell, isDeleted)
  return (
    <>
      {isOpen ? <Outlet /> : closedPage && <closedPage.MaintenancePage message={closed} offersSignIn={!token} />}
      {isOpen && <Reauthentication />}
      {isExpired && expired && <expired.SessionExpiredOverlay />}
      {isDeleted && farewellModule && <farewellModule.Farewell />}
      <ScrollRestoration getKey={scrollKeyOf} />
    </>
  )
}

/** The pages by which administrators come in during maintenance. */
const OPEN_IN_MAINTENANCE = ['/login', '/setup']

// Visitors see it at once. Who is signed in may be an administrator.
if (typeof document !== 'undefined' && !getSession().token) maintenance.set(maintenanceOfPage() || undefined)

/** Returns what takes the place of the page, if the server is under maintenance. Whether a user is kept out, the responses say. */
function useMaintenance(pathname: string): string | undefined {
  const message = useStore(maintenance)
  return OPEN_IN_MAINTENANCE.includes(pathname) ? undefined : message
}

/** Returns the title of the window for a screen's own title. */
export function windowTitle(title: string | undefined): string {
  return title ? `${title} · ${siteName}` : siteName
}

/** Returns the key of a scroll position. The first screen of a visit has no key but its address. */
function scrollKeyOf({ key, pathname, search }: Location): string {
  return key === 'default' ? pathname + search : key
}

/** Shown if a screen fails to load or to render. Reloading also fetches a new version of the app. */
export function RouteError() {
  return (
    <main className={styles.page}>
      <Logo />
      <Title order={1}>This page could not be shown</Title>
      <p className={styles.text}>Your files are safe. Check your connection, then load the page again.</p>
      <Group justify="center">
        <Button onClick={() => window.location.reload()}>Reload</Button>
        <Button variant="default" component={Link} to="/" reloadDocument>
          Home
        </Button>
      </Group>
    </main>
  )
}
