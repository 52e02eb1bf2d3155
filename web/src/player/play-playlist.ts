/** Browsers without Media Source Extensions play HLS playlists natively. */
const TAKES_PARTS = 'MediaSource' in window || 'ManagedMediaSource' in window

interface PlaylistOptions {
  /** The start position in seconds. */
  readonly at?: number
  /** Called when the element can be played. */
  readonly onAttached?: () => void
  /** Called when the playlist can't be played, or no longer. */
  readonly onFailed: () => void
}

/** Plays an HLS playlist in a media element. Returns a function that ends that. */
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
