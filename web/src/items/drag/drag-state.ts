import type { Item } from '@alcove/contract/items'
import { useSyncExternalStore } from 'react'

/** What is being dragged within the page. */
export interface Drag {
  readonly items: readonly Item[]
  readonly ids: ReadonlySet<string>
  /** Dropped now, it would be copied and not moved. */
  readonly isCopy: boolean
  /** Where it would go, dropped now. */
  readonly targetName?: string
}

let current: Drag | undefined
const listeners = new Set<() => void>()

/** Kept outside the tiles: the one that is dragged may leave the page, when a folder springs open below the pointer. */
export function setDrag(drag: Drag | undefined): void {
  current = drag
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function getDrag(): Drag | undefined {
  return current
}

export function useDrag(): Drag | undefined {
  return useSyncExternalStore(subscribe, getDrag, getDrag)
}

export function useIsDragged(itemId: string): boolean {
  const isDragged = () => current?.ids.has(itemId) ?? false
  return useSyncExternalStore(subscribe, isDragged, isDragged)
}
