import { modals } from '@mantine/modals'

/** Keeps a dialog open for a while: what it shows, or is about to, would be lost by a key or a click that went astray. */
export function holdDialog(modalId: string, isHeld: boolean): void {
  modals.updateModal({ modalId, closeOnEscape: !isHeld, closeOnClickOutside: !isHeld, withCloseButton: !isHeld })
}
