import { getItem } from '@alcove/contract/item-calls'
import { useNavigate } from 'react-router'
import { send } from '../../lib/api.ts'
import type { Arrival } from '../../lib/arrival.ts'
import { parentOf } from '../../lib/item-lists.ts'
import { ownIdOf } from '../../lib/vault-root.ts'
import { notifyError } from '../../ui/notify.tsx'

/** Gives how to go to where an item is now. */
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
