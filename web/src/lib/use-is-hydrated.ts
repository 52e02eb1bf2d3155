import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/**
 * Returns whether the page may differ from what was rendered at build time: false at build and during hydration, true
 * from then on, and always true on pages that weren't prerendered.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
