import { modals } from '@mantine/modals'
import { Fragment } from 'react'

let count = 0
/** What opened each dialog: the `data-opener` of the element that had the focus. */
const openers = new Map<string, string | undefined>()

/** Opens a dialog. Returns its id, which `modals.close` takes. */
export function openDialog({ children, ...settings }: Parameters<typeof modals.open>[0]): string {
  count += 1
  const opener = document.activeElement?.closest<HTMLElement>('[data-opener]')?.dataset.opener
  // Mantine shows all dialogs in one place. Without the key, a dialog that opens while one of the same kind fades out would keep
  // what was typed there.
  const id = modals.open({ ...settings, children: <Fragment key={count}>{children}</Fragment> })
  openers.set(id, opener)
  return id
}

/**
 * Moves the focus into the dialog that is shown after another one has opened over it or closed. Mantine does so only for the first
 * dialog, and the element that had the focus is gone. `closed` is the dialog that was shown before: the focus returns to what opened
 * it, by its `data-opener`, because the dialog below was rendered anew.
 */
export function moveFocusIn(closed: string | undefined): void {
  const dialog = document.querySelector<HTMLElement>('[role="dialog"][aria-modal="true"]')
  if (!dialog || dialog.contains(document.activeElement)) return
  const opener = closed === undefined ? undefined : openers.get(closed)
  const wanted =
    opener === undefined ? undefined : dialog.querySelector<HTMLElement>(`[data-opener="${CSS.escape(opener)}"]`)
  const first = wanted ?? dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog
  if (first === dialog) dialog.tabIndex = -1
  first.focus({ preventScroll: first === dialog })
}
