import { FocusTrap, Portal, VisuallyHidden } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { formatCount } from '../lib/format.ts'
import { useOpenDialog } from '../ui/dialogs/open-layers.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useToastPlace } from '../ui/toasts/toasts.ts'
import { Filmstrip } from './Filmstrip.tsx'
import { hidePage } from './hide-page.ts'
import { PreviewBar } from './PreviewBar.tsx'
import { PreviewFrame } from './PreviewFrame.tsx'
import styles from './PreviewOverlay.module.css'
import type { PreviewActions, PreviewItem } from './preview-item.ts'
import { useFetchAhead, useSwipe, useWalk } from './use-walk.ts'
import { useViewKeys } from './viewer-parts.tsx'

interface PreviewOverlayProps {
  readonly items: readonly PreviewItem[]
  readonly startId: string
  readonly actions: PreviewActions
  /** Called when another item is shown. */
  readonly onShow: (id: string) => void
  readonly onClose: () => void
}

/** The preview over the page. It shows one file at a time and steps through the others. */
export function PreviewOverlay({ items, startId, actions, onShow, onClose }: PreviewOverlayProps) {
  const { current, index, walk, goTo, goBy } = useWalk(items, startId, onShow)
  const dialog = useRef<HTMLDivElement>(null)
  const responses = useRef<HTMLDivElement>(null)
  useOverPage(current?.id)
  useOpenDialog(current !== undefined)
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

  // The focused element may have been removed with its item. The focus must stay in the preview.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each item
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
              <PreviewFrame item={current} actions={actions} />
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

interface PreviewArrowProps {
  readonly direction: 'previous' | 'next'
  readonly isDisabled: boolean
  readonly onClick: () => void
}

function PreviewArrow({ direction, isDisabled, onClick }: PreviewArrowProps) {
  const Icon = direction === 'previous' ? IconArrowLeft : IconArrowRight
  return (
    <IconButton
      label={direction === 'previous' ? 'Previous' : 'Next'}
      className={styles.arrow}
      data-direction={direction}
      // A disabled button would lose the focus at the first and last item.
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onClick()}
    >
      <Icon size={20} stroke={1.75} />
    </IconButton>
  )
}

/** A little longer than the overlay takes to appear, in milliseconds. */
const FADE = 200

/**
 * Hides the page below and keeps it from scrolling. Afterwards the tile of the last item gets the focus, or else the element that had
 * it before.
 */
function useOverPage(itemId: string | undefined): void {
  const lastId = useRef(itemId)
  useEffect(() => {
    if (itemId !== undefined) lastId.current = itemId
  }, [itemId])

  useEffect(() => {
    const { activeElement: before } = document
    const showPage = hidePage(FADE)
    return () => {
      showPage()
      focusItem(lastId.current, before)
    }
  }, [])
}

function focusItem(id: string | undefined, before: Element | null): void {
  const tile = id === undefined ? null : document.querySelector<HTMLElement>(`[data-item-id="${CSS.escape(id)}"]`)
  if (tile) tile.focus({ preventScroll: true })
  else if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
}
