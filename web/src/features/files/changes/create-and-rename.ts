import { createFolder, renameFile, renameFolder } from '@alcove/contract/files'
import { getItem } from '@alcove/contract/item-calls'
import type { Folder, Item } from '@alcove/contract/items'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { send, sentenceOf } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { ownIdOf, VAULT_ROOT } from '../../../api/vault-root.ts'
import { runChange } from '../../../items/changes.ts'
import { patchItems } from '../../../items/lists/item-lists.ts'
import { notifyUndoable, undoChange } from '../../../items/report-undo.ts'
import { offerUnlock } from '../../../items/unlock.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { touchedBy } from './chosen-items.ts'

export function useCreateFolder(parentFolderId: string | undefined) {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: (name: string) => addFolder(queryClient, parentFolderId, name) })
}

/** Creates a folder. Rejects if the server refuses, so that the form can show why and stay open. */
async function addFolder(
  queryClient: QueryClient,
  parentFolderId: string | undefined,
  folderName: string,
): Promise<Folder> {
  try {
    const created = await runChange(queryClient, {
      touches: [queryKeys.folder(parentFolderId), queryKeys.items],
      call: () => {
        const isEncrypted = parentFolderId === VAULT_ROOT ? true : undefined
        return send(createFolder, { folderName, parentFolderId: ownIdOf(parentFolderId), isEncrypted })
      },
      onDone: (folder) => patchItems(queryClient, [folder]),
    })
    notifySuccess('Folder created successfully.')
    return created
  } catch (error) {
    const text = sentenceOf(error)
    const again = () => void addFolder(queryClient, parentFolderId, folderName).catch(ignoreReported)
    notifyError(
      text ? `Failed to create folder: ${text}` : 'Failed to create folder.',
      offerUnlock(queryClient, error, again),
    )
    throw error
  }
}

/** The user has been told. */
function ignoreReported(): void {}

export function useRenameItem(item: Item) {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: (newName: string) => renameItem(queryClient, item, newName) })
}

const renameTexts = {
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

/** Renames a file or folder. Rejects if the server refuses, so that the form can show why and stay open. */
async function renameItem(queryClient: QueryClient, item: Item, newName: string): Promise<void> {
  const { done, undone, failed } = renameTexts[item.type]
  try {
    const renamed = await rename(queryClient, item, newName)
    notifyUndoable(done, () =>
      undoChange(undone, async () => {
        // It may have moved since, and then another list shows it.
        const { item: now } = await send(getItem, { id: renamed.id })
        return rename(queryClient, now, item.name)
      }),
    )
  } catch (error) {
    const again = () => void renameItem(queryClient, item, newName).catch(ignoreReported)
    notifyError(failed, offerUnlock(queryClient, error, again))
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
            // Another file may have the name by now.
            fileId: item.id,
          }),
    onDone: (renamed) => patchItems(queryClient, [renamed]),
  })
}
