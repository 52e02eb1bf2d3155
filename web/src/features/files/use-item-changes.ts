import { createFolder } from '@alcove/contract/files'
import type { Item } from '@alcove/contract/items'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '../../lib/api.ts'
import { patchItems } from '../../lib/item-lists.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { runChange } from '../../lib/run-change.ts'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { ownIdOf, VAULT_ROOT } from '../../lib/vault-root.ts'
import type { DropItems } from '../../ui/items/use-item-drag.ts'
import { notifyError, notifySuccess } from '../../ui/notify.tsx'
import { copyChosen } from './copy-items.ts'
import { moveChosen } from './move-items.ts'
import { renameItem } from './rename-item.ts'

export function useCreateFolder(parentFolderId: string | undefined) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (folderName: string) =>
      runChange(queryClient, {
        touches: [queryKeys.folder(parentFolderId), queryKeys.items],
        call: () => {
          const isEncrypted = parentFolderId === VAULT_ROOT ? true : undefined
          return send(createFolder, { folderName, parentFolderId: ownIdOf(parentFolderId), isEncrypted })
        },
        onDone: (folder) => patchItems(queryClient, [folder]),
      }),
    onSuccess: () => notifySuccess('Folder created successfully.'),
    onError(error) {
      const text = sentenceOf(error)
      notifyError(text ? `Failed to create folder: ${text}` : 'Failed to create folder.')
    },
  })
}

export function useRenameItem(item: Item) {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: (newName: string) => renameItem(queryClient, item, newName) })
}

/** What happens to items that are dropped on a folder, or pasted into it. */
export function useDropItems(): DropItems {
  const queryClient = useQueryClient()
  return (items, folderId, isCopy) =>
    void (isCopy ? copyChosen(queryClient, { items }, folderId) : moveChosen(queryClient, { items }, folderId))
}
