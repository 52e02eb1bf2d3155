import { Modal } from '@mantine/core'
import type { FocusEvent, KeyboardEvent } from 'react'
import { useOverlay } from '../../../lib/use-overlay.ts'
import { topDialogBody, useAnswerPlace } from '../../../ui/answer-places.ts'
import type { Asked } from './asked.ts'
import { ReauthenticationForm } from './ReauthenticationForm.tsx'

interface ReauthenticationDialogProps {
  readonly asked: Asked | undefined
}

/** Above the other dialogs, one of which may have made the call, and below the overlay of an expired session. */
const Z_INDEX = 250

/**
 * The dialog that confirms who the user is. It may lie over another dialog, which must not close with it: Mantine's
 * dialogs all listen for Escape, so this one answers that key itself.
 */
export function ReauthenticationDialog({ asked }: ReauthenticationDialogProps) {
  useOverlay(asked !== undefined, () => asked?.cancel())
  useAnswerPlace(asked !== undefined, topDialogBody)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) asked?.cancel()
  }

  return (
    <Modal
      opened={asked !== undefined}
      onClose={() => asked?.cancel()}
      title="Confirm it’s you"
      size={400}
      zIndex={Z_INDEX}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onKeyDown={onKeyDown}
      onFocusCapture={keepEscape}
    >
      {asked && <ReauthenticationForm onConfirmed={asked.confirm} onCancel={asked.cancel} />}
    </Modal>
  )
}

/** Marks what has the focus as one whose Escape is no business of the dialogs below. */
function keepEscape({ target }: FocusEvent): void {
  target.setAttribute('data-mantine-stop-propagation', 'true')
}
