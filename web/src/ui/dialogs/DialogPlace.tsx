import { ModalsProvider, useModals } from '@mantine/modals'
import { useEffect } from 'react'
import { topDialogBody, useToastPlace } from '../toasts/toast-places.ts'
import { useOverlay } from './use-overlay.ts'

interface DialogPlaceProps {
  /** Called once dialogs can be opened. */
  readonly onReady: () => void
}

/** Where dialogs appear. */
export function DialogPlace({ onReady }: DialogPlaceProps) {
  return (
    <ModalsProvider>
      <Ready onReady={onReady} />
      <OpenDialogs />
    </ModalsProvider>
  )
}

/** Its effect runs after those by which the provider begins to listen. */
function Ready({ onReady }: DialogPlaceProps) {
  useEffect(onReady, [onReady])
  return null
}

/** Lets Back close the dialogs, one after the other. */
function OpenDialogs() {
  const { modals, closeModal } = useModals()
  return modals.map(({ id, props }) => (
    // A dialog that Escape cannot close is busy, and Back cannot close it either.
    <OpenDialog key={id} onClose={() => props.closeOnEscape !== false && closeModal(id)} />
  ))
}

function OpenDialog({ onClose }: { readonly onClose: () => void }) {
  useOverlay(true, onClose)
  useToastPlace(true, topDialogBody)
  return null
}
