import { Modal } from '@mantine/core'
import type { FocusEvent, KeyboardEvent } from 'react'
import { useOverlay } from '../../../ui/dialogs/use-overlay.ts'
import { topDialogBody, useToastPlace } from '../../../ui/toasts/toast-places.ts'
import type { Asked } from './pending-confirmation.ts'
import { ReauthenticationForm } from './ReauthenticationForm.tsx'

interface ReauthenticationDialogProps {
  readonly requested: Asked | undefined
}

/** Above the other dialogs, one of which may have made the call, and below the overlay of an expired session. */
const Z_INDEX = 250

/**
 * The dialog that confirms who the user is. It may lie over another dialog, which must not close with it: Mantine's
 * dialogs all listen for Escape, so this one answers that key itself.
 */
export function ReauthenticationDialog({ requested }: ReauthenticationDialogProps) {
  useOverlay(requested !== undefined, () => requested?.cancel())
  useToastPlace(requested !== undefined, topDialogBody)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) requested?.cancel()
  }

  return (
    <Modal
      opened={requested !== undefined}
      onClose={() => requested?.cancel()}
      title="Confirm it’s you"
      size={400}
      zIndex={Z_INDEX}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onKeyDown={onKeyDown}
      onFocusCapture={keepEscape}
    >
      {requested && <ReauthenticationForm onConfirmed={requested.confirm} onCancel={requested.cancel} />}
    </Modal>
  )
}

/** Marks what has the focus as one whose Escape is no business of the dialogs below. */
function keepEscape({ target }: FocusEvent): void {
  target.setAttribute('data-mantine-stop-propagation', 'true')
}
