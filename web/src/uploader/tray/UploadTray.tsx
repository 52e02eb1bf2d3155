import { Transition, VisuallyHidden } from '@mantine/core'
import { useHotkeys, useMergedRef } from '@mantine/hooks'
import { type ComponentProps, type RefCallback, type RefObject, useCallback, useEffect, useRef } from 'react'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { useOverlay } from '../../ui/dialogs/overlay-history.ts'
import { openTray, showTray, useTray, useUploadQueue, useUploads } from '../uploads.ts'
import type { TrayContent } from './TrayContent.tsx'
import styles from './UploadTray.module.css'
import { useProgressAnnouncement, useTabTitle } from './use-progress.ts'

const content = lazyModule(() => import('./TrayContent.tsx'))

/** The tray with all uploads, at the bottom of every signed-in screen. Closing it does not stop uploads. */
export function UploadTray() {
  const uploads = useUploadQueue()
  const snapshot = useUploads()
  const { views, uploading, waiting, paused, inConflict, failed } = snapshot
  // On phones the list covers most of the page.
  const isOverPage = useIsPhone()
  const state = useTray()
  const isShown = state !== 'closed' && views.length > 0
  const isCollapsed = state === 'line' || (state === 'auto' && isOverPage)
  const tray = useRef<HTMLElement>(null)
  const ref = useMergedRef(tray, useTrayHeight())
  const announcement = useProgressAnnouncement(snapshot)
  useOverlay(isOverPage && isShown && !isCollapsed, () => showTray('line'))
  useShownWhenNeeded(inConflict + failed > 0)
  useTabTitle(snapshot)
  useTrayKey(tray, views.length > 0)

  function close() {
    showTray('closed')
    focusPage()
    if (uploading + waiting + paused + inConflict === 0) uploads.clearSettled()
  }

  return (
    <>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <Transition mounted={isShown} transition="slide-up" duration={240} exitDuration={160}>
        {(style) => (
          <section ref={ref} className={styles.tray} style={style} aria-label="Uploads" tabIndex={-1}>
            <Content
              snapshot={snapshot}
              isCollapsed={isCollapsed}
              onCollapse={() => showTray(isCollapsed ? 'list' : 'line')}
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

/** Opens the tray with its list when an upload needs the user or has failed, because only the list shows that. */
function useShownWhenNeeded(isNeeded: boolean): void {
  useEffect(() => {
    if (isNeeded) showTray('list')
  }, [isNeeded])
}

const HEIGHT = '--alcove-tray-height'

/**
 * Publishes the height that the tray covers as a CSS variable of the root element, so that other elements can stay
 * above it. Returns the ref for the tray.
 */
function useTrayHeight(): RefCallback<HTMLElement> {
  return useCallback((tray) => {
    if (!tray) return
    const root = document.documentElement
    const measure = () => {
      const { bottom } = getComputedStyle(tray)
      root.style.setProperty(HEIGHT, `${tray.offsetHeight + (Number.parseFloat(bottom) || 0)}px`)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(tray)
    return () => {
      observer.disconnect()
      root.style.removeProperty(HEIGHT)
    }
  }, [])
}

function focusPage(): void {
  document.querySelector('main')?.focus({ preventScroll: true })
}

/** Makes F6 focus the tray, opening it if necessary, and return from the tray to the page. */
function useTrayKey(tray: RefObject<HTMLElement | null>, hasUploads: boolean): void {
  const go = () => {
    if (!hasUploads) return
    if (tray.current?.contains(document.activeElement)) return focusPage()
    openTray()
    // If the tray was closed, it is rendered by then.
    requestAnimationFrame(() => requestAnimationFrame(() => tray.current?.focus()))
  }
  useHotkeys([['F6', go]], [], true)
}
