import type { Item } from '@alcove/contract/items'
import { getSession, updateSession, useSession } from '../../../api/session.ts'
import { createStore, useStore } from '../../../lib/store.ts'

interface DetailsRequest {
  /** The item whose details were requested. Without it, the details are those of the selection. */
  readonly item?: Item
  /** Whether the sheet is open. It covers the list, so unlike the pane it doesn't reopen after a reload. */
  readonly isSheetOpen: boolean
}

const request = createStore<DetailsRequest>({ isSheetOpen: false })

/** Opens the details of an item, or of the selection. They stay open until they are closed, also after a reload. */
export function showDetails(item?: Item): void {
  request.set({ item, isSheetOpen: true })
  updateSession({ detailsOpen: 'yes' })
}

/** Changes the item whose details are shown; undefined shows those of the selection. */
export function setDetailsItem(item: Item | undefined): void {
  if (request.get().item !== item) request.set({ ...request.get(), item })
}

export function hideDetails(): void {
  request.set({ isSheetOpen: false })
  updateSession({ detailsOpen: undefined })
}

/** Closes the sheet. Beside the list, the details stay open. */
export function hideSheet(): void {
  request.set({ ...request.get(), isSheetOpen: false })
}

/** Opens the details, or closes them if they are open. */
export function toggleDetails(item?: Item): void {
  const { item: shown, isSheetOpen } = request.get()
  const isOpen = isSheetOpen || getSession().detailsOpen === 'yes'
  const isAnother = item !== undefined && item !== shown
  if (isOpen && !isAnother) hideDetails()
  else showDetails(item)
}

export function useDetails(): {
  readonly isOpen: boolean
  readonly isSheetOpen: boolean
  readonly requested: Item | undefined
} {
  const isOpen = useSession().detailsOpen === 'yes'
  const { item, isSheetOpen } = useStore(request)
  return { isOpen, isSheetOpen, requested: item }
}
