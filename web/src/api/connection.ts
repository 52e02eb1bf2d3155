import { createStore } from '../lib/store.ts'

/** Whether the computer has a network connection. */
export interface Connection {
  isOnline(): boolean
  /** Calls `listener` at each change until the returned function is called. */
  subscribe(listener: () => void): () => void
}

export const browserConnection: Connection = {
  isOnline: () => navigator.onLine,
  subscribe(listener) {
    // Pages are also rendered at build time, where no browser is.
    if (typeof window === 'undefined') return () => {}
    window.addEventListener('online', listener)
    window.addEventListener('offline', listener)
    return () => {
      window.removeEventListener('online', listener)
      window.removeEventListener('offline', listener)
    }
  },
}

/** Intervals between health checks while the server can't be reached: the first and the longest, in milliseconds. */
const FIRST_INTERVAL = 2_000
const LONGEST_INTERVAL = 15_000
const CHECK_TIMEOUT = 10_000

/** Statuses that proxies return when the server behind them is down. */
const GATEWAY_FAILURES = [502, 503, 504]

/**
 * Whether the server can be reached. After a failure a health check decides, so a single lost request shows nothing.
 */
export const serverReachable = createStore(true)

interface HealthChecks {
  readonly isRunning: boolean
  readonly interval: number
  readonly timer?: ReturnType<typeof setTimeout> | undefined
}

const checks = createStore<HealthChecks>({ isRunning: false, interval: FIRST_INTERVAL })

/** Checks at once whether the server is back. */
export function retryServer(): void {
  checks.set({ ...checks.get(), interval: FIRST_INTERVAL })
  void checkHealth()
}

/** Returns the response to a request, and notes whether the server could be reached. */
export async function watchReachability(request: Promise<Response>): Promise<Response> {
  try {
    const response = await request
    if (!GATEWAY_FAILURES.includes(response.status)) setReachable(true)
    else void checkHealth()
    return response
  } catch (error) {
    // An aborted request says nothing about the server.
    if (error instanceof TypeError) noteNetworkFailure()
    throw error
  }
}

/** Checks whether the server can be reached, after a request has failed without a response. */
export function noteNetworkFailure(): void {
  // Without a network connection the check would tell nothing new.
  if (navigator.onLine) void checkHealth()
}

async function checkHealth(): Promise<void> {
  if (checks.get().isRunning) return
  clearTimeout(checks.get().timer)
  checks.set({ ...checks.get(), isRunning: true })
  try {
    const response = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(CHECK_TIMEOUT) })
    // Any JSON comes from the server, also a 503. A proxy in front of it would return HTML.
    setReachable(response.headers.get('content-type')?.includes('json') === true)
  } catch {
    setReachable(false)
  }
  const { interval } = checks.get()
  if (serverReachable.get()) return checks.set({ isRunning: false, interval })
  const timer = setTimeout(() => void checkHealth(), interval)
  checks.set({ isRunning: false, interval: Math.min(interval * 2, LONGEST_INTERVAL), timer })
}

function setReachable(isReachable: boolean): void {
  if (isReachable) {
    clearTimeout(checks.get().timer)
    checks.set({ ...checks.get(), interval: FIRST_INTERVAL })
  }
  serverReachable.set(isReachable)
}
