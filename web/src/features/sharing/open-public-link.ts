import type { Item } from '@alcove/contract/items'
import type { ReactNode } from 'react'
import { lazyModule } from '../../lib/lazy-module.ts'
import { openLater } from '../../ui/dialogs/dialogs.tsx'

const modal = lazyModule(() => import('./PublicLinkModal.tsx'))

/** Shows an item's public link; the dialog is fetched after the list shows. `more` is what else there is to an enabled one. */
export function openPublicLink(item: Item, more?: (link: string) => ReactNode): void {
  void openLater(modal, ({ openPublicLinkModal }) => openPublicLinkModal(item, more))
}
