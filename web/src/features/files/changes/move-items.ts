import { moveFile, moveFolder } from '@alcove/contract/files'
import { copyItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import type { Item } from '@alcove/contract/items'
import { restoreItems } from '@alcove/contract/trash'
import type { QueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { ownIdOf } from '../../../api/vault-root.ts'
import { runChange } from '../../../items/changes.ts'
import { parentOf, patchItems } from '../../../items/lists/item-lists.ts'
import { notifyUndoable, undoChange } from '../../../items/report-undo.ts'
import { notifyBusy } from '../../../ui/toasts/notify.tsx'
import { changeTexts } from './change-texts.ts'
import { type Chosen, onlyItem, selectionOf, takeAway, touchedBy } from './chosen-items.ts'
import { reportFailure } from './report-change.ts'

type OnConflict = 'fail' | 'keepBoth'

/** Moves items into a folder, or to the root. They move at once, and go back if that fails or is undone. */
export async function moveChosen(
  queryClient: QueryClient,
  chosen: Chosen,
  targetFolderId: string | undefined,
  onConflict: OnConflict = 'fail',
): Promise<void> {
  try {
    const moved = await move(queryClient, chosen, targetFolderId, onConflict)
    const takeBack = moved.trashedIds ? exchange : moveBack
    notifyUndoable(
      changeTexts.moved(chosen),
      () => undoChange(changeTexts.movedBack(chosen), () => takeBack(queryClient, chosen, targetFolderId, moved)),
      moved.trashedIds && changeTexts.whereOriginals(chosen),
    )
  } catch (error) {
    reportFailure(error, {
      queryClient,
      chosen,
      text: changeTexts.notMoved,
      keepBoth: () => void moveChosen(queryClient, chosen, targetFolderId, 'keepBoth'),
      retry: (some) => void moveChosen(queryClient, some, targetFolderId, onConflict),
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

/** What was moved. Into the drive of somebody else, these are copies, and the originals are in the trash. */
interface Moved {
  readonly itemIds: string[]
  readonly trashedIds?: string[]
}

async function sendMove(chosen: Chosen, targetFolderId: string | null, onConflict: OnConflict): Promise<Moved> {
  const only = onlyItem(chosen)
  if (!only || onConflict !== 'fail') return send(moveItems, { ...selectionOf(chosen), targetFolderId, onConflict })
  const { id } =
    only.type === 'file'
      ? await send(moveFile, { fileId: only.id, targetFolderId })
      : await send(moveFolder, { folderId: only.id, targetFolderId })
  return { itemIds: [id], trashedIds: id === only.id ? undefined : [only.id] }
}

/** Puts the copies into the trash, and gets the originals back from there. */
function exchange(queryClient: QueryClient, chosen: Chosen, target: string | undefined, moved: Moved) {
  return runChange(queryClient, {
    touches: touchedBy(chosen, target),
    async call() {
      await send(trashItems, { itemIds: moved.itemIds })
      return send(restoreItems, { itemIds: moved.trashedIds ?? [] })
    },
  })
}

/** Moves items back, with one call for each folder that they came from. */
async function moveBack(queryClient: QueryClient, chosen: Chosen, from: string | undefined, { itemIds }: Moved) {
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

/** Copies items into a folder, or to the root. If a name is taken there, the copy gets another one. */
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
      queryClient,
      chosen,
      text: changeTexts.notCopied,
      retry: (some) => void copyChosen(queryClient, some, targetFolderId),
    })
  } finally {
    stopBusy()
  }
}
