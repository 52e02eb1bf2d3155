import { renameFile, renameFolder } from '@alcove/contract/files'
import { getItem } from '@alcove/contract/item-calls'
import type { Item } from '@alcove/contract/items'
import type { QueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { patchItems } from '../../../items/lists/item-lists.ts'
import { runChange } from '../../../items/lists/run-change.ts'
import { notifyUndoable } from '../../../items/notify-undoable.ts'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { touchedBy } from './chosen-items.ts'
import { undoChange } from './undo-change.ts'

const texts = {
  file: {
    done: 'File renamed successfully.',
    undone: 'File renamed back.',
    failed: 'File rename failed.',
  },
  folder: {
    done: 'Folder renamed successfully.',
    undone: 'Folder renamed back.',
    failed: 'Folder rename failed.',
  },
}

/** Renames a file or folder. Rejects when that is refused, so that the form can say why and stay. */
export async function renameItem(queryClient: QueryClient, item: Item, newName: string): Promise<void> {
  const { done, undone, failed } = texts[item.type]
  try {
    const renamed = await rename(queryClient, item, newName)
    notifyUndoable(done, () =>
      undoChange(undone, async () => {
        // It may lie elsewhere by now, and a file is renamed by its name and folder.
        const { item: now } = await send(getItem, { id: renamed.id })
        return rename(queryClient, now, item.name)
      }),
    )
  } catch (error) {
    notifyError(failed)
    throw error
  }
}

function rename(queryClient: QueryClient, item: Item, newName: string): Promise<Item> {
  return runChange(queryClient, {
    touches: touchedBy({ items: [item] }),
    call: (): Promise<Item> =>
      item.type === 'folder'
        ? send(renameFolder, { id: item.id, newName })
        : send(renameFile, {
            oldFilename: item.name,
            newName,
            folderId: item.folder_id,
            isEncrypted: item.isEncrypted,
          }),
    onDone: (renamed) => patchItems(queryClient, [renamed]),
  })
}
