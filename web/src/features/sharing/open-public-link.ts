import type { Item } from '@alcove/contract/items'
import type { ReactNode } from 'react'
import { lazyModule } from '../../lib/lazy-module.ts'
import { openLater } from '../../ui/dialogs/dialogs.tsx'

const modal = lazyModule(() => import('./PublicLinkModal.tsx'))

/** Opens the dialog for the public link of an item. `more` adds to it if the link is enabled. */
export function openPublicLink(item: Item, more?: (link: string) => ReactNode): void {
  void openLater(modal, ({ openPublicLinkModal }) => openPublicLinkModal(item, more))
}
