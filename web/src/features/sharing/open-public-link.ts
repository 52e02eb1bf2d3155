import type { Item } from '@alcove/contract/items'
import type { ReactNode } from 'react'
import { later } from '../../lib/later.ts'
import { openLater } from '../../ui/dialogs.tsx'

const modal = later(() => import('./PublicLinkModal.tsx'))

/** Shows an item's public link; the dialog is fetched after the list shows. `more` is what else there is to an enabled one. */
export function openPublicLink(item: Item, more?: (link: string) => ReactNode): void {
  void openLater(modal, ({ openPublicLinkModal }) => openPublicLinkModal(item, more))
}
