import type { Item } from '@alcove/contract/items'
import { useQueryClient } from '@tanstack/react-query'
import { setClipboard } from '../../../items/drag/clipboard.ts'
import type { ItemActions } from '../../../items/item-actions.ts'
import { plural } from '../../../lib/format.ts'
import { modKey } from '../../../lib/platform.ts'
import { confirm } from '../../../ui/dialogs/confirm.ts'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { showDetails, toggleDetails } from '../details/details-state.ts'
import { startDownload } from '../start-download.ts'
import { changeTexts } from './change-texts.ts'
import type { Chosen } from './chosen-items.ts'
import { askNewName, askWhereTo } from './dialogs.ts'
import { trashChosen } from './trash-items.ts'

interface ActionsAround extends Pick<ItemActions, 'toggleFavorite' | 'preview' | 'share'> {
  readonly openFolder: (folderId: string) => void
}

/** What can be done with items, together with what the page around them does. */
export function useItemActions({ openFolder, preview, share, toggleFavorite }: ActionsAround): ItemActions {
  const queryClient = useQueryClient()
  const openFile = preview ?? ((item: Item) => void startDownload({ items: [item] }))
  return {
    open: (item) => (item.type === 'folder' ? openFolder(item.id) : openFile(item)),
    preview: preview && ((item) => (item.type === 'folder' ? showDetails(item) : preview(item))),
    rename: askNewName,
    download: (items, everything) => void startDownload({ items, everything }),
    move: (items, everything) => askWhereTo({ items, everything }),
    async remove(items, everything) {
      if (await asksToTrash({ items, everything })) void trashChosen(queryClient, { items, everything })
    },
    toggleFavorite,
    share,
    details: showDetails,
    toggleDetails,
    cut: (items) => take('cut', items),
    copy: (items) => take('copy', items),
  }
}

/** The question that is on screen: a key that repeats must not ask it twice. */
let requested: Promise<boolean> | undefined

async function asksToTrash(chosen: Chosen): Promise<boolean> {
  if (requested) return false
  requested = confirm({
    question: changeTexts.askTrash(chosen),
    verb: 'Delete',
    detail: changeTexts.askTrashDetail(chosen),
  })
  try {
    return await requested
  } finally {
    requested = undefined
  }
}

/** Of several, only what was taken last is in the clipboard. */
let hideLast = () => {}

function take(kind: 'cut' | 'copy', items: readonly Item[]): void {
  setClipboard(kind, items)
  const how = window.matchMedia('(hover: none)').matches ? 'Paste from the … menu of a folder' : `${modKey}V pastes`
  hideLast()
  hideLast = notifySuccess(`${plural(items.length, 'item')} ${kind === 'cut' ? 'cut' : 'copied'}. ${how}.`)
}
