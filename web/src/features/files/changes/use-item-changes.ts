import { createFolder } from '@alcove/contract/files'
import type { Item } from '@alcove/contract/items'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { sentenceOf } from '../../../api/sentence-of.ts'
import { ownIdOf, VAULT_ROOT } from '../../../api/vault-root.ts'
import { patchItems } from '../../../items/lists/item-lists.ts'
import { runChange } from '../../../items/lists/run-change.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
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
