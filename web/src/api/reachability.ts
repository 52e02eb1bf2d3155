/** Whether the server can be reached. After a failure a health check decides, so that one lost request shows nothing. */

/** Pauses between health checks while the server is away: the first and the longest, in milliseconds. */
const FIRST_PAUSE = 2_000
const LONGEST_PAUSE = 15_000
const LONGEST_LOOK = 10_000

/** Statuses that proxies return when the server behind them is gone. */
const GATEWAY_FAILURES = [502, 503, 504]

let isReachable = true
let isLooking = false
let pause = FIRST_PAUSE
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export const reachability = {
  isReachable: () => isReachable,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Looks at once whether the server is back. */
  retry(): void {
    pause = FIRST_PAUSE
    void look()
  },
}

/** Passes on what a request comes to, and notes whether the server was there. */
export async function watchReachability(request: Promise<Response>): Promise<Response> {
  try {
    const response = await request
    if (!GATEWAY_FAILURES.includes(response.status)) set(true)
    else void look()
    return response
  } catch (error) {
    // A request that was given up says nothing of the server.
    if (error instanceof TypeError) noteNetworkFailure()
    throw error
  }
}

/** Looks whether the server is there, after a request has failed without a response. */
export function noteNetworkFailure(): void {
  // Without a network there is nothing to look for.
  if (navigator.onLine) void look()
}

async function look(): Promise<void> {
  if (isLooking) return
  isLooking = true
  clearTimeout(timer)
  try {
    const response = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(LONGEST_LOOK) })
    // Any JSON comes from the server, also a 503. A proxy in front of it would return HTML.
    set(response.headers.get('content-type')?.includes('json') === true)
  } catch {
    set(false)
  }
  isLooking = false
  if (isReachable) return
  timer = setTimeout(() => void look(), pause)
  pause = Math.min(pause * 2, LONGEST_PAUSE)
}

function set(next: boolean): void {
  if (next) {
    clearTimeout(timer)
    pause = FIRST_PAUSE
  }
  if (next === isReachable) return
  isReachable = next
  for (const listener of listeners) listener()
}
