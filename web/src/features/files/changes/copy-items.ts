import { copyItems, trashItems } from '@alcove/contract/item-calls'
import type { QueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { ownIdOf } from '../../../api/vault-root.ts'
import { runChange } from '../../../items/lists/run-change.ts'
import { notifyUndoable } from '../../../items/notify-undoable.ts'
import { notifyBusy } from '../../../ui/toasts/notify.tsx'
import { changeTexts } from './change-texts.ts'
import { type Chosen, selectionOf } from './chosen-items.ts'
import { reportFailure } from './report-failure.ts'
import { undoChange } from './undo-change.ts'

/** Copies items into a folder, or to the root. Where a name is taken there the copy has another. */
export async function copyChosen(
  queryClient: QueryClient,
  chosen: Chosen,
  targetFolderId: string | undefined,
): Promise<void> {
  const touches = [queryKeys.folder(targetFolderId), queryKeys.storage, queryKeys.items, queryKeys.searches]
  const stopBusy = notifyBusy(changeTexts.copying(chosen))
  try {
    const { itemIds } = await runChange(queryClient, {
      touches,
      call: () => send(copyItems, { ...selectionOf(chosen), targetFolderId: ownIdOf(targetFolderId) ?? null }),
    })
    notifyUndoable(changeTexts.copied(chosen), () =>
      undoChange(changeTexts.uncopied(chosen), () =>
        runChange(queryClient, {
          touches: [...touches, queryKeys.trash],
          call: () => send(trashItems, { itemIds }),
        }),
      ),
    )
  } catch (error) {
    reportFailure(error, {
      chosen,
      text: (reason) => changeTexts.notCopied(chosen, reason),
      tryOthers: (items) => void copyChosen(queryClient, { items }, targetFolderId),
    })
  } finally {
    stopBusy()
  }
}
