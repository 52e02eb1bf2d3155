/** Whether the machine has a network, and word of it when that changes. */
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
