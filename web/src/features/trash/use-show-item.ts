import { getItem } from '@alcove/contract/files'
import { useNavigate } from 'react-router'
import { send } from '../../lib/api.ts'
import type { Arrival } from '../../lib/arrival.ts'
import { parentOf } from '../../lib/item-lists.ts'
import { notifyError } from '../../ui/notify.tsx'

/** Gives how to go to where an item is now. */
export function useShowItem(): (id: string) => Promise<void> {
  const navigate = useNavigate()
  return async (id) => {
    try {
      const { item } = await send(getItem, { id })
      const folderId = parentOf(item)
      const page = item.type === 'file' && item.isEncrypted ? '/vault' : '/profile'
      const state: Arrival = { arrivalId: id }
      await navigate(folderId ? `${page}?folder=${encodeURIComponent(folderId)}` : page, { state })
    } catch {
      notifyError('It is not there any more.')
    }
  }
}
