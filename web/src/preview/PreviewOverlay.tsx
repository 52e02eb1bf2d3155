import { FocusTrap, Portal, VisuallyHidden } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import { formatCount } from '../lib/format.ts'
import { useToastPlace } from '../ui/toasts/toast-places.ts'
import { Filmstrip } from './Filmstrip.tsx'
import { PreviewArrow } from './PreviewArrow.tsx'
import { PreviewBar } from './PreviewBar.tsx'
import { PreviewFrame } from './PreviewFrame.tsx'
import styles from './PreviewOverlay.module.css'
import type { PreviewActions, PreviewItem } from './preview-item.ts'
import { useFetchAhead } from './use-fetch-ahead.ts'
import { useOverPage } from './use-over-page.ts'
import { useSwipe } from './use-swipe.ts'
import { useViewKeys } from './use-view-keys.ts'
import { useWalk } from './use-walk.ts'

interface PreviewOverlayProps {
  readonly items: readonly PreviewItem[]
  readonly startId: string
  readonly actions: PreviewActions
  /** Another item is on show. */
  readonly onShow: (id: string) => void
  readonly onClose: () => void
}

/** The preview over the page: one file at a time, and the way through those beside it. */
export function PreviewOverlay({ items, startId, actions, onShow, onClose }: PreviewOverlayProps) {
  const { current, index, walk, goTo, goBy } = useWalk(items, startId, onShow)
  const dialog = useRef<HTMLDivElement>(null)
  const responses = useRef<HTMLDivElement>(null)
  useOverPage(current?.id)
  useToastPlace(true, () => responses.current)
  useFetchAhead(walk, index)
  const swipe = useSwipe(goBy)
  useViewKeys({
    Escape: onClose,
    ArrowLeft: () => goBy(-1),
    ArrowRight: () => goBy(1),
    Home: () => goTo(walk[0]),
    End: () => goTo(walk.at(-1)),
  })

  const isOver = current === undefined
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isOver) close()
  }, [isOver])

  // What had the focus may have gone with its item; the keyboard must not fall out of the preview.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another item, another look
  useEffect(() => {
    if (document.activeElement === document.body) dialog.current?.focus()
  }, [current?.id])

  if (!current) return null
  const position = `${formatCount(index + 1)} of ${formatCount(walk.length)}`
  return (
    <Portal>
      <FocusTrap active>
        <div
          ref={dialog}
          className={styles.overlay}
          role="dialog"
          aria-modal="true"
          aria-label={`Preview of ${current.name}`}
          tabIndex={-1}
          data-autofocus
        >
          <VisuallyHidden role="status">{`${current.name}, ${position}`}</VisuallyHidden>
          <PreviewBar item={current} position={walk.length > 1 ? position : ''} actions={actions} onClose={onClose} />
          <div ref={responses} className={styles.responses} />
          <div className={styles.stage}>
            {walk.length > 1 && <PreviewArrow direction="previous" isDisabled={index === 0} onClick={() => goBy(-1)} />}
            <div className={styles.frame} {...swipe}>
              <PreviewFrame key={current.id} item={current} actions={actions} />
            </div>
            {walk.length > 1 && (
              <PreviewArrow direction="next" isDisabled={index === walk.length - 1} onClick={() => goBy(1)} />
            )}
          </div>
          <Filmstrip items={walk} current={current} onChoose={goTo} />
        </div>
      </FocusTrap>
    </Portal>
  )
}
