import { TOKEN_EXPIRED } from '../api/api.ts'
import { createStore, useStore } from '../lib/store.ts'

/**
 * Whether, or why, the session has just expired and the overlay is counting down. Meanwhile the guards don't redirect: the overlay
 * decides where to go.
 */
export const isExpired = createStore<boolean | string>(false)

if (typeof window !== 'undefined') {
  window.addEventListener(TOKEN_EXPIRED, (event) => isExpired.set((event as CustomEvent<string | null>).detail ?? true))
}

export const endSessionExpiry = () => isExpired.set(false)
export const useSessionExpired = () => useStore(isExpired)
