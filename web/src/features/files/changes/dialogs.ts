import type { Item } from '@alcove/contract/items'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import type { Chosen } from './chosen-items.ts'

/** The dialogs of the file manager, each fetched after the list shows. */

const createFolder = lazyModule(() => import('./CreateFolderModal.tsx'))
const renameFile = lazyModule(() => import('./RenameFileModal.tsx'))
const renameFolder = lazyModule(() => import('./RenameFolderModal.tsx'))
const moveItem = lazyModule(() => import('./MoveItemModal.tsx'))

export function askFolderName(parentFolderId: string | undefined): void {
  void openLater(createFolder, ({ openCreateFolderModal }) => openCreateFolderModal(parentFolderId))
}

export function askNewName(item: Item): void {
  if (item.type === 'file') void openLater(renameFile, ({ openRenameFileModal }) => openRenameFileModal(item))
  else void openLater(renameFolder, ({ openRenameFolderModal }) => openRenameFolderModal(item))
}

export function askWhereTo(chosen: Chosen): void {
  void openLater(moveItem, ({ openMoveItemModal }) => openMoveItemModal(chosen))
}
