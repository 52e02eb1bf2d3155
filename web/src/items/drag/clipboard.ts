import type { Item } from '@alcove/contract/items'
import { useSyncExternalStore } from 'react'
import { getSession, subscribeToSession } from '../../api/session.ts'

/** Items that were cut or copied, to be pasted into another folder. */
export interface Clipboard {
  readonly kind: 'cut' | 'copy'
  readonly items: readonly Item[]
  readonly ids: ReadonlySet<string>
}

let current: Clipboard | undefined
let owner = getSession().email
const listeners = new Set<() => void>()

function set(next: Clipboard | undefined): void {
  if (next === current) return
  current = next
  for (const listener of listeners) listener()
}

/**
 * Takes items to be pasted. Their names go to the system's clipboard, where it may be written: so whatever was copied
 * there before, such as files of the computer, is not what the next paste means.
 */
export function setClipboard(kind: Clipboard['kind'], items: readonly Item[]): void {
  set({ kind, items, ids: new Set(items.map(({ id }) => id)) })
  const names = items.map(({ name }) => name).join('\n')
  navigator.clipboard?.writeText(names).catch(() => {}) // the browser may say no: pasting works without
}

export function clearClipboard(): void {
  set(undefined)
}

export function getClipboard(): Clipboard | undefined {
  return current
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useClipboard(): Clipboard | undefined {
  return useSyncExternalStore(subscribe, getClipboard, getClipboard)
}

/** Whether an item waits to be moved by the next paste. */
export function useIsCut(itemId: string): boolean {
  const isCut = () => current?.kind === 'cut' && current.ids.has(itemId)
  return useSyncExternalStore(subscribe, isCut, isCut)
}

subscribeToSession(() => {
  const { token, email } = getSession()
  if (token && email === owner) return
  owner = email
  clearClipboard()
})
