import { useSyncExternalStore } from 'react'

/** Whether the tray is on screen; the uploads go on without it. */
let isOpen = false
const listeners = new Set<() => void>()

export function showTray(shown: boolean): void {
  if (isOpen === shown) return
  isOpen = shown
  for (const listener of listeners) listener()
}

export function useIsTrayShown(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOpen,
  )
}
