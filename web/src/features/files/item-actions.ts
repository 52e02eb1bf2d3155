import type { Item } from '@alcove/contract/items'
import { confirm } from '../../ui/confirm.tsx'
import { openMoveItemModal } from './MoveItemModal.tsx'
import { openRenameFileModal } from './RenameFileModal.tsx'
import { openRenameFolderModal } from './RenameFolderModal.tsx'
import { startDownload } from './start-download.ts'
import { useTrashItem } from './use-item-changes.ts'

/** What can be done with an item of the drive, wherever it is asked for: buttons, menu or keys. */
export interface ItemActions {
  /** Goes into a folder; downloads a file. */
  readonly open: (item: Item) => void
  readonly rename: (item: Item) => void
  readonly download: (item: Item) => void
  readonly move: (item: Item) => void
  readonly remove: (item: Item) => void
}

export function useItemActions(openFolder: (folderId: string) => void): ItemActions {
  const { mutate: trash } = useTrashItem()
  const download = (item: Item) => void startDownload(item)
  return {
    open: (item) => (item.type === 'folder' ? openFolder(item.id) : download(item)),
    rename: (item) => (item.type === 'file' ? openRenameFileModal(item) : openRenameFolderModal(item)),
    download,
    move: openMoveItemModal,
    remove: (item) => void askAndTrash(item, trash),
  }
}

async function askAndTrash(item: Item, trash: (item: Item) => void): Promise<void> {
  const question =
    item.type === 'file'
      ? 'Are you sure you want to delete this file?'
      : 'Are you sure you want to delete this folder and all its contents?'
  if (await confirm({ question, verb: 'Delete', detail: item.name })) trash(item)
}
