import { useHotkeys } from '@mantine/hooks'
import type { RefObject } from 'react'
import { showTray } from './tray-visibility.ts'

/** F6 goes to the tray, opening it if need be, and from there back to the page. */
export function useTrayKey(tray: RefObject<HTMLElement | null>, hasUploads: boolean): void {
  const go = () => {
    if (!hasUploads) return
    if (tray.current?.contains(document.activeElement)) return document.querySelector('main')?.focus()
    showTray(true)
    // Until the tray is there, when it was closed.
    requestAnimationFrame(() => requestAnimationFrame(() => tray.current?.focus()))
  }
  useHotkeys([['F6', go]], [], true)
}
