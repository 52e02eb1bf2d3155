import { ModalsProvider, useModals } from '@mantine/modals'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { topDialogBody, useToastPlace } from '../toasts/toasts.ts'
import { moveFocusIn } from './open-dialog.tsx'
import { useFocusReturn, useOpenDialog } from './open-layers.ts'
import { useOverlay } from './overlay-history.ts'

interface DialogPlaceProps {
  /** Called once dialogs can be opened. */
  readonly onReady: () => void
}

/** Renders the dialogs. */
export function DialogPlace({ onReady }: DialogPlaceProps) {
  const [isPresent, setIsPresent] = useState(false)
  return (
    <ModalsProvider modalProps={{ returnFocus: false, onExitTransitionEnd: () => setIsPresent(false) }}>
      <Ready onReady={onReady} />
      <OpenDialogs isPresent={isPresent} onOpen={() => setIsPresent(true)} />
    </ModalsProvider>
  )
}

/** Its effect runs after the effects in which the provider starts listening. */
function Ready({ onReady }: DialogPlaceProps) {
  useEffect(onReady, [onReady])
  return null
}

interface OpenDialogsProps {
  /** Whether one of them is on the page, even if it fades out. */
  readonly isPresent: boolean
  readonly onOpen: () => void
}

/** Makes Back close the dialogs, one after the other, and returns the focus after the last one. */
function OpenDialogs({ isPresent, onOpen }: OpenDialogsProps) {
  const { modals, closeModal } = useModals()
  useFocusReturn(modals.length > 0)
  useOpenDialog(isPresent, modals.length > 0)
  useFocusInTop(modals.map(({ id }) => id))
  return modals.map(({ id, props }) => (
    // A dialog that Escape can't close is busy, so Back can't close it either.
    <OpenDialog key={id} onOpen={onOpen} onClose={() => props.closeOnEscape !== false && closeModal(id)} />
  ))
}

/** Keeps the focus in the dialog that is shown when dialogs open over each other and close. */
function useFocusInTop(ids: readonly string[]): void {
  const before = useRef<string>(undefined)
  const top = ids.at(-1)
  const isOpen = useEffectEvent((id: string) => ids.includes(id))
  useEffect(() => {
    const last = before.current
    before.current = top
    if (last === undefined || top === undefined || last === top) return
    const closed = isOpen(last) ? undefined : last
    const frame = requestAnimationFrame(() => moveFocusIn(closed))
    return () => cancelAnimationFrame(frame)
  }, [top])
}

interface OpenDialogProps {
  readonly onOpen: () => void
  readonly onClose: () => void
}

function OpenDialog({ onOpen, onClose }: OpenDialogProps) {
  useOverlay(true, onClose)
  useToastPlace(true, topDialogBody)
  const open = useEffectEvent(onOpen)
  useEffect(() => open(), [])
  return null
}
