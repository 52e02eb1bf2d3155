import { Transition, VisuallyHidden } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { useOverlay } from '../../ui/dialogs/overlay-history.ts'
import { uploads, useUploads } from '../engine/uploads.ts'
import type { TrayContent } from './TrayContent.tsx'
import { showTray, useIsTrayShown } from './tray-visibility.ts'
import styles from './UploadTray.module.css'
import { useProgressAnnouncement } from './use-progress-announcement.ts'
import { useTabTitle } from './use-tab-title.ts'
import { useTrayHeight } from './use-tray-height.ts'
import { useTrayKey } from './use-tray-key.ts'

const content = lazyModule(() => import('./TrayContent.tsx'))

/** All uploads, at the foot of every signed-in screen. Closing it stops nothing. */
export function UploadTray() {
  const snapshot = useUploads()
  const { views, uploading, waiting, paused, inConflict, failed } = snapshot
  const isShown = useIsTrayShown()
  const [isCollapsed, setIsCollapsed] = useState(false)
  const tray = useRef<HTMLElement>(null)
  const ref = useMergedRef(tray, useTrayHeight())
  const announcement = useProgressAnnouncement(snapshot)
  const isOverPage = useIsPhone()
  useOverlay(isOverPage && isShown && views.length > 0 && !isCollapsed, () => setIsCollapsed(true))
  useShownWhenNeeded(inConflict + failed > 0)
  useTabTitle(snapshot)
  useTrayKey(tray, views.length > 0)

  function close() {
    showTray(false)
    if (uploading + waiting + paused + inConflict === 0) uploads.clearSettled()
  }

  return (
    <>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <Transition mounted={isShown && views.length > 0} transition="slide-up" duration={240} exitDuration={160}>
        {(style) => (
          <section ref={ref} className={styles.tray} style={style} aria-label="Uploads" tabIndex={-1}>
            <Content
              snapshot={snapshot}
              isCollapsed={isCollapsed}
              onCollapse={() => setIsCollapsed(!isCollapsed)}
              onClose={close}
            />
          </section>
        )}
      </Transition>
    </>
  )
}

/** Fetched after the first screen, or with the first upload. */
function Content(props: ComponentProps<typeof TrayContent>) {
  const part = useLazyModule(content)
  return part ? <part.TrayContent {...props} /> : null
}

/** What waits for the user, or has failed, is told in the tray alone. */
function useShownWhenNeeded(isNeeded: boolean): void {
  useEffect(() => {
    if (isNeeded) showTray(true)
  }, [isNeeded])
}
