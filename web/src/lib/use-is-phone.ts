import { useMedia } from './use-media.ts'

const NARROW = '(max-width: 35.99em)'
const LOW = '(max-height: 30em)'

/** Whether the window is narrow enough for the phone's layout. */
export function useIsPhone(): boolean {
  return useMedia(NARROW)
}

/** Whether the window is as small as a phone's held either way: narrow, or so low that files would begin below it. */
export function useIsSmall(): boolean {
  return useMedia(`${NARROW}, ${LOW}`)
}
