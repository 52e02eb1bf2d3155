/** A browser that takes no parts from scripts plays playlists by itself. */
const TAKES_PARTS = 'MediaSource' in window || 'ManagedMediaSource' in window

interface PlaylistOptions {
  /** Seconds from which on it is played. */
  readonly at?: number
  /** From now on the element can be told to play. */
  readonly onAttached?: () => void
  /** It cannot be played, or not any more. */
  readonly onFailed: () => void
}

/** Has an element play a playlist of HLS in place of a file; the returned function ends that. */
export function playPlaylist(
  element: HTMLMediaElement,
  playlist: string,
  { at = 0, onAttached, onFailed }: PlaylistOptions,
): () => void {
  if (!TAKES_PARTS) {
    element.addEventListener('error', onFailed)
    element.src = playlist
    element.currentTime = at
    onAttached?.()
    return () => element.removeEventListener('error', onFailed)
  }
  let isOver = false
  let detach = () => {}
  async function attach(): Promise<void> {
    const { attachHls } = await import('./attach-hls.ts')
    if (isOver) return
    detach = attachHls(element, playlist, { at, onFailed })
    onAttached?.()
  }
  attach().catch(() => !isOver && onFailed())
  return () => {
    isOver = true
    detach()
  }
}
