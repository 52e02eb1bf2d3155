import { useCallback, useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

const none = (_query: string) => false
const atBuildTime = createStore(none)

/** Sets which media queries match in pages rendered at build time, where there is no window. None does by default. */
export function assumeMedia(matches = none): void {
  atBuildTime.set(matches)
}

/** Returns whether a media query matches, kept up to date. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => atBuildTime.get()(query),
  )
}

const NARROW = '(max-width: 35.99em)'
const LOW = '(max-height: 30em)'

/** Returns whether the window is narrow enough for the phone layout. */
export function useIsPhone(): boolean {
  return useMedia(NARROW)
}

/**
 * Returns whether the window is as small as a phone held either way: narrow, or so low that the files wouldn't be in
 * view.
 */
export function useIsSmall(): boolean {
  return useMedia(`${NARROW}, ${LOW}`)
}
