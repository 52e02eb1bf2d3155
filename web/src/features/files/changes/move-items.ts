import { moveFile, moveFolder } from '@alcove/contract/files'
import { moveItems } from '@alcove/contract/item-calls'
import type { Item } from '@alcove/contract/items'
import type { QueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { ownIdOf } from '../../../api/vault-root.ts'
import { parentOf, patchItems } from '../../../items/lists/item-lists.ts'
import { runChange } from '../../../items/lists/run-change.ts'
import { notifyUndoable } from '../../../items/notify-undoable.ts'
import { changeTexts } from './change-texts.ts'
import { type Chosen, onlyItem, selectionOf, takeAway, touchedBy } from './chosen-items.ts'
import { reportFailure } from './report-failure.ts'
import { undoChange } from './undo-change.ts'

type OnConflict = 'fail' | 'keepBoth'

/** Moves items into a folder, or to the root: shown there at once, back when that fails, and on Undo. */
export async function moveChosen(
  queryClient: QueryClient,
  chosen: Chosen,
  targetFolderId: string | undefined,
  onConflict: OnConflict = 'fail',
): Promise<void> {
  try {
    const itemIds = await move(queryClient, chosen, targetFolderId, onConflict)
    notifyUndoable(changeTexts.moved(chosen), () =>
      undoChange(changeTexts.movedBack(chosen), () => moveBack(queryClient, chosen, targetFolderId, itemIds)),
    )
  } catch (error) {
    reportFailure(error, {
      chosen,
      text: (reason) => changeTexts.notMoved(chosen, reason),
      keepBoth: () => void moveChosen(queryClient, chosen, targetFolderId, 'keepBoth'),
      tryOthers: (items) => void moveChosen(queryClient, { items }, targetFolderId, onConflict),
    })
  }
}

function move(queryClient: QueryClient, chosen: Chosen, target: string | undefined, onConflict: OnConflict) {
  return runChange(queryClient, {
    touches: touchedBy(chosen, target),
    show() {
      const putBack = takeAway(queryClient, chosen)
      const there = chosen.items.map((item) => inFolder(item, target))
      patchItems(queryClient, there)
      return () => {
        takeAway(queryClient, { items: there })
        putBack()
      }
    },
    call: () => sendMove(chosen, ownIdOf(target) ?? null, onConflict),
  })
}

async function sendMove(chosen: Chosen, targetFolderId: string | null, onConflict: OnConflict): Promise<string[]> {
  const only = onlyItem(chosen)
  if (!only || onConflict !== 'fail')
    return (await send(moveItems, { ...selectionOf(chosen), targetFolderId, onConflict })).itemIds
  if (only.type === 'file') await send(moveFile, { fileId: only.id, targetFolderId })
  else await send(moveFolder, { folderId: only.id, targetFolderId })
  return [only.id]
}

/** Back to where each of them was: a call for each folder that they came from, which in a folder's own view is one. */
async function moveBack(queryClient: QueryClient, chosen: Chosen, from: string | undefined, itemIds: string[]) {
  const { items, everything } = chosen
  if (everything) {
    const { folderId } = everything
    await runChange(queryClient, {
      touches: touchedBy(chosen, from),
      call: () => send(moveItems, { itemIds, targetFolderId: ownIdOf(folderId) ?? null, onConflict: 'fail' }),
    })
    return
  }
  for (const [home, group] of Map.groupBy(items, parentOf)) {
    const there = group.map((item) => inFolder(item, from))
    await move(queryClient, { items: there }, home, 'fail')
  }
}

function inFolder(item: Item, folderId: string | undefined): Item {
  const parentId = ownIdOf(folderId) ?? null
  return item.type === 'file' ? { ...item, folder_id: parentId } : { ...item, parentId }
}
