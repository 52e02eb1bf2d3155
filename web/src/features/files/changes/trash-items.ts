import { trashFile, trashFolder } from '@alcove/contract/files'
import { trashItems } from '@alcove/contract/item-calls'
import { restoreItems } from '@alcove/contract/trash'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, send } from '../../../api/api.ts'
import { runChange } from '../../../items/changes.ts'
import { locksOf } from '../../../items/held-locks.ts'
import { patchItems } from '../../../items/lists/item-lists.ts'
import { notifyUndoable, undoChange } from '../../../items/report-undo.ts'
import { changeTexts } from './change-texts.ts'
import { type Chosen, onlyItem, selectionOf, takeAway, touchedBy } from './chosen-items.ts'
import { reportFailure } from './report-change.ts'

/** Moves items to the trash. They disappear at once, and come back if that fails or is undone. */
export async function trashChosen(queryClient: QueryClient, chosen: Chosen): Promise<void> {
  try {
    const { itemIds } = await runChange(queryClient, {
      touches: touchedBy(chosen),
      show: () => takeAway(queryClient, chosen),
      call: () => trash(chosen),
    })
    notifyUndoable(
      changeTexts.trashed(chosen),
      () => undoChange(changeTexts.restored(chosen), () => restore(queryClient, chosen, itemIds)),
      changeTexts.whereTrashed(chosen),
    )
  } catch (error) {
    reportFailure(error, {
      queryClient,
      chosen,
      // Of the reasons, only locks are named: the user can do something about them.
      text: (_chosen, reason) =>
        changeTexts.notTrashed(chosen, error instanceof ApiError) + (locksOf(error)[0] ? ` ${reason}` : ''),
      retry: (some) => void trashChosen(queryClient, some),
    })
  }
}

async function trash(chosen: Chosen): Promise<{ readonly itemIds: string[] }> {
  const only = onlyItem(chosen)
  if (!only) return send(trashItems, selectionOf(chosen))
  await send(only.type === 'file' ? trashFile : trashFolder, { id: only.id })
  return { itemIds: [only.id] }
}

function restore(queryClient: QueryClient, chosen: Chosen, itemIds: string[]) {
  return runChange(queryClient, {
    touches: touchedBy(chosen),
    show() {
      patchItems(queryClient, chosen.items)
      return () => takeAway(queryClient, chosen)
    },
    call: () => send(restoreItems, { itemIds }),
  })
}
