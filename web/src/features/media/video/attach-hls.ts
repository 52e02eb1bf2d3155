import Hls from 'hls.js/light'

/** A part may be made only now: longer than any file takes to begin. */
const PATIENCE = {
  maxTimeToFirstByteMs: 60_000,
  maxLoadTimeMs: 120_000,
  timeoutRetry: { maxNumRetry: 1, retryDelayMs: 0, maxRetryDelayMs: 0 },
  errorRetry: { maxNumRetry: 5, retryDelayMs: 1000, maxRetryDelayMs: 8000 },
}

/** Plays a playlist in a video, by parts; the returned function ends that. */
export function attachHls(element: HTMLVideoElement, playlist: string, onFailed: () => void): () => void {
  const hls = new Hls({
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
