import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isRoot, VAULT_ROOT } from '../../../api/vault-root.ts'
import { type Clipboard, clearClipboard } from '../../../items/drag/clipboard.ts'
import type { DropItems } from '../../../items/drag/use-item-drag.ts'
import { parentOf } from '../../../items/lists/item-lists.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import type { Chosen } from './chosen-items.ts'

const moves = lazyModule(() => import('./move-items.ts'), 'soon')

/** Returns a function that moves or copies items into a folder, or the root. */
function useCarry(): (kind: 'cut' | 'copy', chosen: Chosen, folderId: string | undefined) => Promise<void> {
  const queryClient = useQueryClient()
  return (kind, chosen, folderId) =>
    moves.load().then(
      ({ copyChosen, moveChosen }) => (kind === 'copy' ? copyChosen : moveChosen)(queryClient, chosen, folderId),
      () => notifyError(`Nothing was ${kind === 'copy' ? 'copied' : 'moved'}. Check your connection, then try again.`),
    )
}

/** Returns the handler for items that are dropped on a folder: moves or copies them. */
export function useDropItems(): DropItems {
  const carry = useCarry()
  return (items, folderId, isCopy) => void carry(isCopy ? 'copy' : 'cut', { items }, folderId)
}

/** Returns a function that pastes items into a folder, or the root. Cut items can be pasted once. */
export function usePaste(folderId: string | undefined): (clipboard: Clipboard) => void {
  const carry = useCarry()
  const isPasting = useRef(false)

  async function paste({ kind, items }: Clipboard) {
    // The server checks this for folders. A call can't name the root of the other area: null is the root of the items' own.
    const isApart = isRoot(folderId) && items.some(({ isEncrypted }) => isEncrypted !== (folderId === VAULT_ROOT))
    if (isApart) return notifyError("You can't move or copy items between your files and the vault.")
    if (kind === 'copy') return carry(kind, { items }, folderId)
    const elsewhere = items.filter((item) => parentOf(item) !== folderId)
    if (elsewhere.length === 0) return notifyError('The cut items are already in this folder.')
    clearClipboard()
    return carry(kind, { items: elsewhere }, folderId)
  }

  return (clipboard) => {
    if (isPasting.current) return // the key repeats
    isPasting.current = true
    void paste(clipboard).finally(() => {
      isPasting.current = false
    })
  }
}
