import { getDownloadUrl } from '@alcove/contract/bytes'
import { getItemsDownloadUrl } from '@alcove/contract/item-calls'
import type { Item } from '@alcove/contract/items'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { send, sentenceOf } from '../../../api/api.ts'
import { setClipboard } from '../../../items/drag/clipboard.ts'
import type { ItemActions } from '../../../items/item-actions.ts'
import { contentIdOf } from '../../../items/mounts.ts'
import { downloadFrom } from '../../../lib/browser-download.ts'
import { plural } from '../../../lib/format.ts'
import { modKey } from '../../../lib/keyboard.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { showDetails, toggleDetails } from '../details/details-state.ts'
import { type Chosen, countOf, selectionOf } from './chosen-items.ts'

interface ActionsAround
  extends Pick<
    ItemActions,
    'toggleFavorite' | 'preview' | 'share' | 'shareWithPeople' | 'requestFiles' | 'activity' | 'history'
  > {
  readonly openFolder: (folderId: string) => void
  /** Whether the items are in somebody else's folder. */
  readonly isOthers?: boolean
}

/** Returns the actions for items of the drive. The page provides those that depend on it. */
export function useItemActions({
  openFolder,
  preview,
  share,
  shareWithPeople,
  requestFiles,
  activity,
  history,
  toggleFavorite,
  isOthers,
}: ActionsAround): ItemActions {
  const queryClient = useQueryClient()
  const openFile = preview ?? ((item: Item) => void startDownload({ items: [item] }))
  return {
    open: (item) => (item.type === 'folder' ? openFolder(contentIdOf(item)) : openFile(item)),
    preview: preview && ((item) => (item.type === 'folder' ? showDetails(item) : preview(item))),
    rename: askNewName,
    download: (items, everything) => void startDownload({ items, everything }),
    move: (items, everything) => askWhereTo({ items, everything }, true),
    copyTo: (items, everything) => askWhereTo({ items, everything }, false),
    remove: (items, everything) => void remove(queryClient, { items, everything, isOthers }),
    toggleFavorite,
    share,
    shareWithPeople,
    requestFiles,
    activity,
    history,
    details: showDetails,
    toggleDetails,
    cut: (items) => take('cut', items),
    copy: (items) => take('copy', items),
  }
}

/** Hides the last toast, because only the items that were cut or copied last are on the clipboard. */
let hideLast = () => {}

function take(kind: 'cut' | 'copy', items: readonly Item[]): void {
  setClipboard(kind, items)
  const how = window.matchMedia('(hover: none)').matches ? 'Paste from the … menu of a folder' : `${modKey}V pastes`
  hideLast()
  hideLast = notifySuccess(`${plural(items.length, 'item')} ${kind === 'cut' ? 'cut' : 'copied'}. ${how}.`)
}

let isStarting = false

/**
 * Makes the browser download one file, or a folder or several items as one ZIP. The bytes don't pass through the page.
 */
async function startDownload(chosen: Chosen): Promise<void> {
  if (isStarting) return // a double click
  isStarting = true
  try {
    const [item] = chosen.items
    const { url } =
      countOf(chosen) === 1 && item
        ? await send(getDownloadUrl, { id: contentIdOf(item) })
        : await send(getItemsDownloadUrl, selectionOf(chosen))
    downloadFrom(url)
  } catch (error) {
    notifyError(sentenceOf(error) ?? 'Failed to download file.')
  } finally {
    isStarting = false
  }
}

const nameModals = lazyModule(() => import('./NameModals.tsx'))
const removal = lazyModule(() => import('./remove-items.ts'), 'soon')
const moveModal = lazyModule(() => import('./MoveItemModal.tsx'))

export function askFolderName(parentFolderId: string | undefined): void {
  void openLater(nameModals, ({ openCreateFolderModal }) => openCreateFolderModal(parentFolderId))
}

function askNewName(item: Item): void {
  void openLater(nameModals, ({ openRenameFileModal, openRenameFolderModal }) =>
    item.type === 'file' ? openRenameFileModal(item) : openRenameFolderModal(item),
  )
}

async function remove(queryClient: QueryClient, chosen: Chosen): Promise<void> {
  const module = removal.loaded ?? (await removal.load().catch(() => undefined))
  if (module) await module.removeItems(queryClient, chosen)
  else notifyError('Nothing was deleted. Check your connection, then try again.')
}

function askWhereTo(chosen: Chosen, canMove: boolean): void {
  void openLater(moveModal, ({ openMoveItemModal }) => openMoveItemModal(chosen, canMove))
}
