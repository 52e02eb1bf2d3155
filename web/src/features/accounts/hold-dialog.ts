import { modals } from '@mantine/modals'

/** Keeps a dialog from closing by Escape, Back or a stray click while it shows, or waits for, what is shown only once. */
export function holdDialog(modalId: string, isHeld: boolean): void {
  modals.updateModal({ modalId, closeOnEscape: !isHeld, closeOnClickOutside: !isHeld, withCloseButton: !isHeld })
}
