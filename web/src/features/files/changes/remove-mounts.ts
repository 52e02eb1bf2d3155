import { trashItems } from '@alcove/contract/item-calls'
import { placeSharedFolder } from '@alcove/contract/members'
import { restoreItems } from '@alcove/contract/trash'
import type { QueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { runChange } from '../../../items/changes.ts'
import { patchItems } from '../../../items/lists/item-lists.ts'
import { isMount } from '../../../items/mounts.ts'
import { notifyUndoable, undoChange } from '../../../items/report-undo.ts'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { changeTexts, namesOf } from './change-texts.ts'
import { type Chosen, selectionOf, takeAway, touchedBy } from './chosen-items.ts'
import { reportFailure } from './report-change.ts'

/** Removes folders of others from the user's files, after a confirmation, and moves what else is chosen to the trash. */
export async function removeWithMounts(queryClient: QueryClient, chosen: Chosen): Promise<void> {
  const isOnly = !chosen.everything && chosen.items.every(isMount)
  const detail = 'Folders of others stay under “Shared with me”.'
  const isConfirmed = await confirm({
    question: isOnly ? `Remove ${namesOf(chosen)} from your files?` : changeTexts.askTrash(chosen),
    detail: isOnly ? detail : `${changeTexts.askTrashDetail(chosen)} ${detail}`,
    verb: isOnly ? 'Remove' : 'Delete',
  })
  if (isConfirmed) await remove(queryClient, chosen, isOnly)
}

async function remove(queryClient: QueryClient, chosen: Chosen, isOnly: boolean): Promise<void> {
  const touches = [...touchedBy(chosen), queryKeys.sharedWithMe]
  try {
    const { itemIds } = await runChange(queryClient, {
      touches,
      show: () => takeAway(queryClient, chosen),
      call: () => send(trashItems, selectionOf(chosen)),
    })
    const text = isOnly ? 'Removed from your files.' : changeTexts.trashed(chosen)
    const undo = () =>
      runChange(queryClient, {
        touches,
        show() {
          patchItems(queryClient, chosen.items)
          return () => takeAway(queryClient, chosen)
        },
        call: () => bringBack(chosen, itemIds),
      })
    notifyUndoable(
      text,
      () => undoChange(changeTexts.restored(chosen), undo),
      'Folders of others stay shared with you.',
    )
  } catch (error) {
    reportFailure(error, {
      queryClient,
      chosen,
      text: () => changeTexts.notTrashed(chosen),
      retry: (some) => void remove(queryClient, some, isOnly),
    })
  }
}

async function bringBack({ items }: Chosen, itemIds: string[]): Promise<void> {
  if (itemIds.length > 0) await send(restoreItems, { itemIds })
  for (const { mount, parentId, name } of items.filter(isMount)) {
    await send(placeSharedFolder, { memberId: mount.memberId, targetFolderId: parentId ?? undefined, name })
  }
}
