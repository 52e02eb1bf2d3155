import type { LoaderResponse, RetryConfig } from 'hls.js'
import Hls from 'hls.js/light'

/** The server may have to make a segment first, which takes longer than to start sending a file. */
const LOAD_POLICY = {
  maxTimeToFirstByteMs: 60_000,
  maxLoadTimeMs: 120_000,
  timeoutRetry: { maxNumRetry: 1, retryDelayMs: 0, maxRetryDelayMs: 0 },
  errorRetry: { maxNumRetry: 5, retryDelayMs: 1000, maxRetryDelayMs: 8000, shouldRetry: isWorthAnotherTry },
}
const TOO_MANY = 429

function isErrorResponse(status = 0): boolean {
  return status >= 400 && status < 500 && status !== TOO_MANY
}

/** Retries after 429 too, which hls.js by itself treats as a permanent failure. */
function isWorthAnotherTry(
  config: RetryConfig | null | undefined,
  tries: number,
  _isTimeout: boolean,
  response: LoaderResponse | undefined,
  isUsual: boolean,
): boolean {
  return isUsual || (response?.code === TOO_MANY && tries < (config?.maxNumRetry ?? 0))
}

/** Plays a playlist in a media element with hls.js, from `at` seconds on. Returns a function that detaches it. */
export function attachHls(
  element: HTMLMediaElement,
  playlist: string,
  { at, onFailed }: { readonly at: number; readonly onFailed: () => void },
): () => void {
  const hls = new Hls({
    startPosition: at,
    // Our Content Security Policy allows only workers from our own files, and there is little work for one.
    enableWorker: false,
    // Segments that are fetched ahead but never played cost the server for nothing.
    maxBufferLength: 20,
    maxMaxBufferLength: 40,
    fragLoadPolicy: { default: LOAD_POLICY },
  })
  let hasRecovered = false
  hls.on(Hls.Events.ERROR, (_event, { fatal, type, details, response }) => {
    const isHopeless = isErrorResponse(response?.code) || details === Hls.ErrorDetails.FRAG_PARSING_ERROR
    // If this fails before anything is buffered, the playlist won't play, so don't wait for the retries.
    if (!fatal && !(isHopeless && element.buffered.length === 0)) return
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
