import { TOKEN_EXPIRED } from '../api/api.ts'
import { createStore, useStore } from '../lib/store.ts'

/**
 * Whether the session has just expired and the overlay is counting down. Meanwhile the guards don't redirect: the overlay
 * decides where to go.
 */
const isExpired = createStore(false)

if (typeof window !== 'undefined') window.addEventListener(TOKEN_EXPIRED, () => isExpired.set(true))

export const endSessionExpiry = () => isExpired.set(false)
export const useSessionExpired = () => useStore(isExpired)
