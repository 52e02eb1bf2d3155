import { moveFile, moveFolder } from '@alcove/contract/files'
import { copyItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import type { Item } from '@alcove/contract/items'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { isRoot, ownIdOf, VAULT_ROOT } from '../../../api/vault-root.ts'
import { runChange } from '../../../items/changes.ts'
import { type Clipboard, clearClipboard } from '../../../items/drag/clipboard.ts'
import type { DropItems } from '../../../items/drag/use-item-drag.ts'
import { parentOf, patchItems } from '../../../items/lists/item-lists.ts'
import { notifyUndoable, undoChange } from '../../../items/report-undo.ts'
import { notifyBusy, notifyError } from '../../../ui/toasts/notify.tsx'
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
    const itemIds = await move(queryClient, chosen, targetFolderId, onConflict)
    notifyUndoable(changeTexts.moved(chosen), () =>
      undoChange(changeTexts.movedBack(chosen), () => moveBack(queryClient, chosen, targetFolderId, itemIds)),
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

async function sendMove(chosen: Chosen, targetFolderId: string | null, onConflict: OnConflict): Promise<string[]> {
  const only = onlyItem(chosen)
  if (!only || onConflict !== 'fail')
    return (await send(moveItems, { ...selectionOf(chosen), targetFolderId, onConflict })).itemIds
  if (only.type === 'file') await send(moveFile, { fileId: only.id, targetFolderId })
  else await send(moveFolder, { folderId: only.id, targetFolderId })
  return [only.id]
}

/** Moves items back, with one call for each folder that they came from. */
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

/** Returns the handler for items that are dropped on a folder: moves or copies them. */
export function useDropItems(): DropItems {
  const queryClient = useQueryClient()
  return (items, folderId, isCopy) =>
    void (isCopy ? copyChosen(queryClient, { items }, folderId) : moveChosen(queryClient, { items }, folderId))
}

/** Returns a function that pastes items into a folder, or the root. Cut items can be pasted once. */
export function usePaste(folderId: string | undefined): (clipboard: Clipboard) => void {
  const queryClient = useQueryClient()
  const isPasting = useRef(false)

  async function paste({ kind, items }: Clipboard) {
    // The server checks this for folders. A call can't name the root of the other area: null is the root of the items' own.
    const isApart = isRoot(folderId) && items.some(({ isEncrypted }) => isEncrypted !== (folderId === VAULT_ROOT))
    if (isApart) return notifyError("You can't move or copy items between your files and the vault.")
    if (kind === 'copy') return copyChosen(queryClient, { items }, folderId)
    const elsewhere = items.filter((item) => parentOf(item) !== folderId)
    if (elsewhere.length === 0) return notifyError('The cut items are already in this folder.')
    clearClipboard()
    return moveChosen(queryClient, { items: elsewhere }, folderId)
  }

  return (clipboard) => {
    if (isPasting.current) return // the key repeats
    isPasting.current = true
    void paste(clipboard).finally(() => {
      isPasting.current = false
    })
  }
}
