import { lazyModule } from '../../lib/lazy-module.ts'
import type { Confirmation } from './Confirmation.tsx'
import { openLater } from './dialogs.tsx'

const modal = lazyModule(() => import('./Confirmation.tsx'))

/** Asks before something is destroyed. Focus starts on Cancel; Escape and a click outside are a no. */
export function confirm(confirmation: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    void openLater(modal, ({ openConfirmation }) => openConfirmation(confirmation, resolve)).then(
      (isOpen) => !isOpen && resolve(false),
    )
  })
}
