import type { Item } from '@alcove/contract/items'
import { confirm } from '../../ui/confirm.tsx'
import type { ItemActions } from '../../ui/items/item-actions.ts'
import { openMoveItemModal } from './MoveItemModal.tsx'
import { openRenameFileModal } from './RenameFileModal.tsx'
import { openRenameFolderModal } from './RenameFolderModal.tsx'
import { startDownload } from './start-download.ts'
import { useTrashItem } from './use-item-changes.ts'

interface ActionsAround {
  readonly openFolder: (folderId: string) => void
  readonly toggleFavorite: (item: Item) => void
}

/** What can be done with an item of the drive, together with what the page around it does. */
export function useItemActions({ openFolder, toggleFavorite }: ActionsAround): ItemActions {
  const { mutate: trash } = useTrashItem()
  const download = (item: Item) => void startDownload(item)
  return {
    open: (item) => (item.type === 'folder' ? openFolder(item.id) : download(item)),
    rename: (item) => (item.type === 'file' ? openRenameFileModal(item) : openRenameFolderModal(item)),
    download,
    move: openMoveItemModal,
    remove: (item) => void askAndTrash(item, trash),
    toggleFavorite,
  }
}

async function askAndTrash(item: Item, trash: (item: Item) => void): Promise<void> {
  const question =
    item.type === 'file'
      ? 'Are you sure you want to delete this file?'
      : 'Are you sure you want to delete this folder and all its contents?'
  if (await confirm({ question, verb: 'Delete', detail: item.name })) trash(item)
}
