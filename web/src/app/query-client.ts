import { focusManager } from '@tanstack/react-query'
import { ApiError } from '../api/api.ts'
import { SharedQueryClient } from '../api/changes-elsewhere.ts'

const RETRIES = 2

export const queryClient = new SharedQueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A response that says no will say it again; only the network and the server's own failures may pass.
      retry: (failures, error) => failures < RETRIES && !(error instanceof ApiError && error.status < 500),
    },
    // Without a network a change fails at once and says so, instead of waiting unseen.
    mutations: { networkMode: 'always' },
  },
})

// A window that comes to the front was in view all along, so its visibility does not change.
focusManager.setEventListener((onFocus) => {
  if (typeof window === 'undefined') return
  const controller = new AbortController()
  const tell = () => onFocus()
  window.addEventListener('focus', tell, { signal: controller.signal })
  document.addEventListener('visibilitychange', tell, { signal: controller.signal })
  return () => controller.abort()
})
