import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isRoot, VAULT_ROOT } from '../../../api/vault-root.ts'
import { type Clipboard, clearClipboard } from '../../../items/drag/clipboard.ts'
import { parentOf } from '../../../items/lists/item-lists.ts'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { copyChosen } from './copy-items.ts'
import { moveChosen } from './move-items.ts'

/** Pastes what was cut or copied into a folder, or the root. What was cut is pasted once. */
export function usePaste(folderId: string | undefined): (clipboard: Clipboard) => void {
  const queryClient = useQueryClient()
  const isPasting = useRef(false)

  async function paste({ kind, items }: Clipboard) {
    // Of folders the server says so itself; a root that it is told of is the one of the items' own area.
    const isApart = isRoot(folderId) && items.some(({ isEncrypted }) => isEncrypted !== (folderId === VAULT_ROOT))
    if (isApart) return notifyError("You can't move or copy items between your files and the vault.")
    if (kind === 'copy') return copyChosen(queryClient, { items }, folderId)
    const elsewhere = items.filter((item) => parentOf(item) !== folderId)
    if (elsewhere.length === 0) return notifyError('What was cut is in this folder already.')
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
