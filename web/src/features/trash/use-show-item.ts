import { getItem } from '@alcove/contract/item-calls'
import { useNavigate } from 'react-router'
import { send } from '../../api/api.ts'
import { ownIdOf } from '../../api/vault-root.ts'
import type { Arrival } from '../../items/grid/arrival.ts'
import { parentOf } from '../../items/lists/item-lists.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'

/** Returns how to go to where an item is now. */
export function useShowItem(): (id: string) => Promise<void> {
  const navigate = useNavigate()
  return async (id) => {
    try {
      const { item } = await send(getItem, { id })
      const folderId = ownIdOf(parentOf(item))
      const page = item.isEncrypted ? '/vault' : '/profile'
      const state: Arrival = { arrivalId: id }
      await navigate(folderId ? `${page}?folder=${encodeURIComponent(folderId)}` : page, { state })
    } catch {
      notifyError('It is not there any more.')
    }
  }
}
