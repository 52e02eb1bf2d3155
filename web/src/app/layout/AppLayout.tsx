import { UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useChangesElsewhere } from '../../api/changes-elsewhere.ts'
import { browserConnection, retryServer, serverReachable } from '../../api/connection.ts'
import { isPaid, useSession } from '../../api/session.ts'
import { versionHistory } from '../../features/versions/open-version-history.ts'
import { undo } from '../../items/changes.ts'
import { isMac } from '../../lib/keyboard.ts'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { siteName } from '../../lib/site.ts'
import { useStore } from '../../lib/store.ts'
import { useMedia } from '../../lib/use-media.ts'
import { showShortcuts } from '../../ui/dialogs/dialogs.tsx'
import { isKeyTaken } from '../../ui/dialogs/open-layers.ts'
import { PageHeaderSlot, PageStripSlot } from '../../ui/PageHeader.tsx'
import { focusToastAction } from '../../ui/toasts/notify.tsx'
import { useUploadEffects } from '../../uploader/tray/use-upload-effects.ts'
import { AppFrame } from './AppFrame.tsx'
import styles from './AppLayout.module.css'
import type { NavigationItem } from './NavigationList.tsx'
import { useFocusMain } from './SkipLink.tsx'

const lateParts = lazyModule(() => import('./LateParts.tsx'), 'soon')

interface AppLayoutProps {
  readonly navigation: readonly NavigationItem[]
}

/** Renders every signed-in screen in its frame, with everything that all of them share. */
export function AppLayout({ navigation }: AppLayoutProps) {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const [strip, setStrip] = useState<HTMLElement | null>(null)
  const isWide = useMedia('(min-width: 62em)')
  const late = useLazyModule(lateParts, false)
  const history = useLazyModule(versionHistory, false)
  useFocusMain()
  useChangesElsewhere()
  useUploadEffects()
  // The slots exist one rendering later, which then needs to render only their content.
  const frame = useMemo(
    () => (
      <AppFrame
        navigation={navigation}
        headerRef={setSlot}
        stripRef={setStrip}
        sideFoot={isWide && <NowPlayingPlace />}
        panelHead={!isWide && <NowPlayingPlace />}
        lateItem={late && ((onChoose) => <late.AdminEntry onChoose={onChoose} />)}
        uploads={late && <late.LateTools />}
        bell={late && <late.LateBell />}
        notice={
          <>
            <ConnectionLine />
            {late && <late.LateNotices />}
          </>
        }
      >
        <Outlet />
      </AppFrame>
    ),
    [navigation, isWide, late],
  )
  return (
    <PageHeaderSlot.Provider value={slot}>
      <PageStripSlot.Provider value={strip}>
        {frame}
        {late && <late.LateLayers />}
        {history && <history.VersionHistoryDialog />}
        <AppShortcuts />
      </PageStripSlot.Provider>
    </PageHeaderSlot.Provider>
  )
}

/** Shows a line while there is no network, or the server can't be reached. */
function ConnectionLine() {
  const isOnline = useSyncExternalStore(browserConnection.subscribe, browserConnection.isOnline)
  const isReachable = useStore(serverReachable)
  useRefetchOnReturn(isReachable)
  return (
    <div role="status">
      {!isOnline && <p className={styles.connection}>You are offline. {siteName} reconnects automatically.</p>}
      {isOnline && !isReachable && (
        <p className={styles.connection}>
          {siteName} can’t be reached. Trying again…{' '}
          <UnstyledButton className={styles.retry} onClick={retryServer}>
            Retry now
          </UnstyledButton>
        </p>
      )}
    </div>
  )
}

/** Refetches what is on screen once the server is reachable again. */
function useRefetchOnReturn(isReachable: boolean): void {
  const queryClient = useQueryClient()
  const wasReachable = useRef(isReachable)
  useEffect(() => {
    if (isReachable && !wasReachable.current) void queryClient.refetchQueries({ type: 'active', stale: true })
    wasReachable.current = isReachable
  }, [isReachable, queryClient])
}

const nowPlaying = lazyModule(() => import('../../features/media/NowPlaying.tsx'))

/** Shows the small player on every screen except Music, once something has been played. */
function NowPlayingPlace() {
  const session = useSession()
  const { pathname } = useLocation()
  const isWanted = session.player !== undefined && isPaid(session) && pathname !== '/music'
  const loaded = useLazyModule(nowPlaying, isWanted)
  if (!isWanted) return null
  return <div className={styles.nowPlaying}>{loaded && <loaded.NowPlaying />}</div>
}

/** The keyboard shortcuts of every signed-in screen. */
function AppShortcuts() {
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isKeyTaken(event)) return
      const isMod = isMac ? event.metaKey : event.ctrlKey
      const isUndo = isMod && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
      if (!isUndo) return
      event.preventDefault()
      undo()
    }
    // Captured before the list takes a question mark as the beginning of a name, and before other uses of F6, since a
    // toast disappears after a few seconds.
    const handleFirst = (event: KeyboardEvent) => {
      const isHelp = event.key === '?' && !event.ctrlKey && !event.metaKey && !isKeyTaken(event)
      if (isHelp) showShortcuts()
      else if (event.key !== 'F6' || !focusToastAction()) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', handle)
    window.addEventListener('keydown', handleFirst, true)
    return () => {
      document.removeEventListener('keydown', handle)
      window.removeEventListener('keydown', handleFirst, true)
    }
  }, [])
  return null
}
