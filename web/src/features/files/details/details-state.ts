import type { Item } from '@alcove/contract/items'
import { useSyncExternalStore } from 'react'
import { getSession, updateSession, useSession } from '../../../api/session.ts'

interface Asked {
  /** The item whose details were asked for by name; else what is selected is meant. */
  readonly item?: Item
  /** On a narrow screen the details cover the list, so there they do not come back by themselves. */
  readonly isSheetOpen: boolean
}

let requested: Asked = { isSheetOpen: false }
const listeners = new Set<() => void>()

function set(next: Asked): void {
  requested = next
  for (const listener of listeners) listener()
}

/** Opens the details, of an item or of what is selected. They stay open until they are closed, also after a reload. */
export function showDetails(item?: Item): void {
  set({ item, isSheetOpen: true })
  updateSession({ detailsOpen: 'yes' })
}

/** Another item, or undefined for what is selected. */
export function setAskedDetails(item: Item | undefined): void {
  if (requested.item !== item) set({ ...requested, item })
}

export function hideDetails(): void {
  set({ isSheetOpen: false })
  updateSession({ detailsOpen: undefined })
}

/** For a key or button that opens them and closes them again. */
export function toggleDetails(item?: Item): void {
  const isOpen = requested.isSheetOpen || getSession().detailsOpen === 'yes'
  const isAnother = item !== undefined && item !== requested.item
  if (isOpen && !isAnother) hideDetails()
  else showDetails(item)
}

export function useDetails(): {
  readonly isOpen: boolean
  readonly isSheetOpen: boolean
  readonly requested: Item | undefined
} {
  const isOpen = useSession().detailsOpen === 'yes'
  const getAsked = () => requested
  const { item, isSheetOpen } = useSyncExternalStore(subscribe, getAsked, getAsked)
  return { isOpen, isSheetOpen, requested: item }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
