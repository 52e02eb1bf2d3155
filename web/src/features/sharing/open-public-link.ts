import type { Item } from '@alcove/contract/items'
import type { ReactNode } from 'react'
import { lazyModule } from '../../lib/lazy-module.ts'
import { openLater } from '../../ui/dialogs/dialogs.tsx'
import type { LinkTarget } from './links/link-texts.ts'

const requestModal = lazyModule(() => import('./links/RequestFilesModal.tsx'))
const modal = lazyModule(() => import('./PublicLinkModal.tsx'))

/** Opens the dialog for the public link of an item. `more` adds to it if the link is enabled. */
export function openPublicLink(item: Item, more?: (link: string) => ReactNode): void {
  void openLater(modal, ({ openPublicLinkModal }) => openPublicLinkModal(item, more))
}

/** Opens the dialog that asks others for files, which go into a folder. */
export function openRequestFiles(folder: LinkTarget): void {
  void openLater(requestModal, ({ openRequestFilesModal }) => openRequestFilesModal(folder))
}
