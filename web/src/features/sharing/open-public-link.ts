import type { Item } from '@alcove/contract/items'
import { later } from '../../lib/later.ts'
import { openLater } from '../../ui/dialogs.tsx'

const modal = later(() => import('./PublicLinkModal.tsx'))

/** Shows an item's public link; the dialog is fetched after the list shows. */
export function openPublicLink(item: Item): void {
  void openLater(modal, ({ openPublicLinkModal }) => openPublicLinkModal(item))
}
