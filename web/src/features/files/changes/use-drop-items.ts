import { useQueryClient } from '@tanstack/react-query'
import type { DropItems } from '../../../items/drag/use-item-drag.ts'
import { copyChosen } from './copy-items.ts'
import { moveChosen } from './move-items.ts'

/** What happens to items that are dropped on a folder, or pasted into it. */
export function useDropItems(): DropItems {
  const queryClient = useQueryClient()
  return (items, folderId, isCopy) =>
    void (isCopy ? copyChosen(queryClient, { items }, folderId) : moveChosen(queryClient, { items }, folderId))
}
