import { Transition, VisuallyHidden } from '@mantine/core'
import { useHotkeys, useMergedRef } from '@mantine/hooks'
import { type ComponentProps, type RefCallback, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { plural } from '../../lib/format.ts'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { useOverlay } from '../../ui/dialogs/overlay-history.ts'
import type { UploadsSnapshot } from '../upload-view.ts'
import { showTray, uploads, useIsTrayShown, useUploads } from '../uploads.ts'
import type { TrayContent } from './TrayContent.tsx'
import styles from './UploadTray.module.css'
import { resultOf, tabTitleOf } from './upload-texts.ts'

const content = lazyModule(() => import('./TrayContent.tsx'))

/** The tray with all uploads, at the bottom of every signed-in screen. Closing it does not stop uploads. */
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

/** Opens the tray when an upload needs the user or has failed, because only the tray shows that. */
function useShownWhenNeeded(isNeeded: boolean): void {
  useEffect(() => {
    if (isNeeded) showTray(true)
  }, [isNeeded])
}

/** Returns the announcements for screen readers: when uploads start, are half done and end. */
function useProgressAnnouncement(snapshot: UploadsSnapshot): string {
  const { uploading, waiting, paused, inConflict, sent, total, views } = snapshot
  const [text, setText] = useState('')
  const told = useRef<string>(undefined)
  const isRunning = uploading + waiting > 0
  const isHalf = total > 0 && sent >= total / 2
  const end = paused + inConflict > 0 ? 'Uploads have stopped.' : `Uploads have ended: ${resultOf(snapshot)}.`
  // Uploads that ended before this tab started one are not announced.
  const stage = isRunning ? (isHalf ? 'half' : 'start') : end

  useEffect(() => {
    const before = told.current
    if (stage === before || (before === undefined && stage === end) || views.length === 0) return
    told.current = stage
    if (stage === 'start') setText(`Uploading ${plural(views.length, 'item')}.`)
    else if (stage !== 'half') setText(end)
    // If uploads are half done at once, only their start is announced.
    else setText(before === 'start' ? 'Half of the uploads are done.' : `Uploading ${plural(views.length, 'item')}.`)
  }, [stage, end, views.length])
  return text
}

const isOurs = () => /^\d+ % · Alcove$/.test(document.title)

/** Shows the progress in the tab's title during uploads, and restores the page's title afterwards. */
function useTabTitle(uploads: UploadsSnapshot): void {
  const isRunning = uploads.uploading + uploads.waiting > 0
  const title = isRunning ? tabTitleOf(uploads) : undefined
  const shown = useRef('')
  /** The page's own title, which changes when the user opens another page meanwhile. */
  const own = useRef('')

  useEffect(() => {
    if (title === undefined) return
    if (!isOurs()) own.current = document.title
    shown.current = title
    document.title = title
  }, [title])

  useEffect(() => {
    if (!isRunning) return
    const observer = new MutationObserver(() => {
      if (isOurs()) return
      own.current = document.title
      document.title = shown.current
    })
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => {
      observer.disconnect()
      document.title = own.current
    }
  }, [isRunning])
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

/** Makes F6 focus the tray, opening it if necessary, and return from the tray to the page. */
function useTrayKey(tray: RefObject<HTMLElement | null>, hasUploads: boolean): void {
  const go = () => {
    if (!hasUploads) return
    if (tray.current?.contains(document.activeElement)) return document.querySelector('main')?.focus()
    showTray(true)
    // If the tray was closed, it is rendered by then.
    requestAnimationFrame(() => requestAnimationFrame(() => tray.current?.focus()))
  }
  useHotkeys([['F6', go]], [], true)
}
