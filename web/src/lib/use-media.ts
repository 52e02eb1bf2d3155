import { useCallback, useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

const none = (_query: string) => false
const atBuildTime = createStore(none)

/** Sets which media queries match in pages rendered at build time, where there is no window. None does by default. */
export function assumeMedia(matches = none): void {
  atBuildTime.set(matches)
}

const lists = new Map<string, MediaQueryList>()

/** Returns the list of a media query. Many components use the same few, and parsing one takes the browser a while. */
function listFor(query: string): MediaQueryList {
  const list = lists.get(query) ?? window.matchMedia(query)
  lists.set(query, list)
  return list
}

/** Returns whether a media query matches, kept up to date. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listFor(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => listFor(query).matches,
    () => atBuildTime.get()(query),
  )
}

/** Returns whether the user's main pointer can hover, as a mouse can. */
export function useCanHover(): boolean {
  return useMedia('(hover: hover)')
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
