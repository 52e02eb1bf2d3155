import type { Item } from '@alcove/contract/items'
import { later } from '../../lib/later.ts'
import { openLater } from '../../ui/dialogs.tsx'
import type { Chosen } from './chosen-items.ts'

/** The dialogs of the file manager, each fetched after the list shows. */

const createFolder = later(() => import('./CreateFolderModal.tsx'))
const renameFile = later(() => import('./RenameFileModal.tsx'))
const renameFolder = later(() => import('./RenameFolderModal.tsx'))
const moveItem = later(() => import('./MoveItemModal.tsx'))

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
