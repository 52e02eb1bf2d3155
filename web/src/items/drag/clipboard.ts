import type { Item } from '@alcove/contract/items'
import { onUserChange } from '../../api/session.ts'
import { createStore, useStore } from '../../lib/store.ts'

/** Items that were cut or copied, to be pasted into another folder. */
export interface Clipboard {
  readonly kind: 'cut' | 'copy'
  readonly items: readonly Item[]
  readonly ids: ReadonlySet<string>
}

const clipboard = createStore<Clipboard | undefined>(undefined)

/**
 * Puts items on the clipboard. Writes their names to the system's clipboard where the browser allows it, so that the next
 * paste doesn't upload files that were copied there before.
 */
export function setClipboard(kind: Clipboard['kind'], items: readonly Item[]): void {
  clipboard.set({ kind, items, ids: new Set(items.map(({ id }) => id)) })
  const names = items.map(({ name }) => name).join('\n')
  navigator.clipboard?.writeText(names).catch(() => {}) // pasting works without it
}

export const clearClipboard = () => clipboard.set(undefined)
export const getClipboard = clipboard.get
export const useClipboard = () => useStore(clipboard)

/** Returns whether the next paste moves an item. */
export function useIsCut(itemId: string): boolean {
  return useStore(clipboard, (content) => content?.kind === 'cut' && content.ids.has(itemId))
}

onUserChange(clearClipboard)
