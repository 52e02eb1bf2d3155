import Hls from 'hls.js/light'

/** A part may be made only now: longer than any file takes to begin. */
const PATIENCE = {
  maxTimeToFirstByteMs: 60_000,
  maxLoadTimeMs: 120_000,
  timeoutRetry: { maxNumRetry: 1, retryDelayMs: 0, maxRetryDelayMs: 0 },
  errorRetry: { maxNumRetry: 5, retryDelayMs: 1000, maxRetryDelayMs: 8000 },
}

/** Feeds a playlist to an element, by parts, from `at` so many seconds on; the returned function ends that. */
export function attachHls(
  element: HTMLMediaElement,
  playlist: string,
  { at, onFailed }: { readonly at: number; readonly onFailed: () => void },
): () => void {
  const hls = new Hls({
    startPosition: at,
    // The policy of the page lets no worker run that is not a file of ours, and there is little to do.
    enableWorker: false,
    // What is made ahead and never seen costs the server for nothing.
    maxBufferLength: 20,
    maxMaxBufferLength: 40,
    fragLoadPolicy: { default: PATIENCE },
  })
  let hasRecovered = false
  hls.on(Hls.Events.ERROR, (_event, { fatal, type }) => {
    if (!fatal) return
    if (type === Hls.ErrorTypes.MEDIA_ERROR && !hasRecovered) {
      hasRecovered = true
      hls.recoverMediaError()
      return
    }
    hls.destroy()
    onFailed()
  })
  hls.loadSource(playlist)
  hls.attachMedia(element)
  return () => hls.destroy()
}
