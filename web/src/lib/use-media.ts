import { useCallback, useSyncExternalStore } from 'react'

const none = (_query: string) => false
let atBuildTime = none

/** Says which media queries hold for what is rendered at build time, where there is no window. None does by default. */
export function assumeMedia(matches = none): void {
  atBuildTime = matches
}

/** Returns whether a media query holds, kept up to date. */
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
    () => atBuildTime(query),
  )
}
