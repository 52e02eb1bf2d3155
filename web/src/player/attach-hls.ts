import type { LoaderResponse, RetryConfig } from 'hls.js'
import Hls from 'hls.js/light'

/** A part may be made only now: longer than any file takes to begin. */
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

/** Who asks too often may ask again later: by itself hls.js takes that for a refusal. */
function isWorthAnotherTry(
  config: RetryConfig | null | undefined,
  tries: number,
  _isTimeout: boolean,
  response: LoaderResponse | undefined,
  isUsual: boolean,
): boolean {
  return isUsual || (response?.code === TOO_MANY && tries < (config?.maxNumRetry ?? 0))
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
    fragLoadPolicy: { default: LOAD_POLICY },
  })
  let hasRecovered = false
  hls.on(Hls.Events.ERROR, (_event, { fatal, type, details, response }) => {
    const isHopeless = isErrorResponse(response?.code) || details === Hls.ErrorDetails.FRAG_PARSING_ERROR
    // What fails before anything was there is not going to play: no need to wait until that is certain.
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
