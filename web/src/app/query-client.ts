import { focusManager } from '@tanstack/react-query'
import { ApiError } from '../api/api.ts'
import { SharedQueryClient } from '../api/changes-elsewhere.ts'

const RETRIES = 2

export const queryClient = new SharedQueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Retry only network and server errors: a refused request would be refused again.
      retry: (failures, error) => failures < RETRIES && !(error instanceof ApiError && error.status < 500),
    },
    // Without a network, a change fails at once with a message, instead of waiting unseen.
    mutations: { networkMode: 'always' },
  },
})

// A window that gets the focus may have been visible all along, so its visibility doesn't change.
focusManager.setEventListener((onFocus) => {
  if (typeof window === 'undefined') return
  const controller = new AbortController()
  const notify = () => onFocus()
  window.addEventListener('focus', notify, { signal: controller.signal })
  document.addEventListener('visibilitychange', notify, { signal: controller.signal })
  return () => controller.abort()
})
