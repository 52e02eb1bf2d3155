import { ModalsProvider, useModals } from '@mantine/modals'
import { useEffect } from 'react'
import { topDialogBody, useToastPlace } from '../toasts/toasts.ts'
import { useOverlay } from './overlay-history.ts'

interface DialogPlaceProps {
  /** Called once dialogs can be opened. */
  readonly onReady: () => void
}

/** Renders the dialogs. */
export function DialogPlace({ onReady }: DialogPlaceProps) {
  return (
    <ModalsProvider>
      <Ready onReady={onReady} />
      <OpenDialogs />
    </ModalsProvider>
  )
}

/** Its effect runs after the effects in which the provider starts listening. */
function Ready({ onReady }: DialogPlaceProps) {
  useEffect(onReady, [onReady])
  return null
}

/** Makes Back close the dialogs, one after the other. */
function OpenDialogs() {
  const { modals, closeModal } = useModals()
  return modals.map(({ id, props }) => (
    // A dialog that Escape can't close is busy, so Back can't close it either.
    <OpenDialog key={id} onClose={() => props.closeOnEscape !== false && closeModal(id)} />
  ))
}

function OpenDialog({ onClose }: { readonly onClose: () => void }) {
  useOverlay(true, onClose)
  useToastPlace(true, topDialogBody)
  return null
}
