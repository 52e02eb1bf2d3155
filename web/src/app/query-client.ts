import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../lib/api.ts'

const RETRIES = 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // An answer that says no will say it again; only the network and the server's own failures may pass.
      retry: (failures, error) => failures < RETRIES && !(error instanceof ApiError && error.status < 500),
    },
    // Without a network a change fails at once and says so, instead of waiting unseen.
    mutations: { networkMode: 'always' },
  },
})
