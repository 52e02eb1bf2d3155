import { getStorage } from '@alcove/contract/files'
import {
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { createStore } from '../lib/store.ts'
import { send } from './api.ts'
import { getSession } from './session.ts'

/** How often a tab in view asks whether something has changed elsewhere, in milliseconds. */
const POLL_INTERVAL = 20_000

const VERSION = 'version'

/** Pages are also rendered at build time, where there are no tabs. */
const isBrowser = typeof document !== 'undefined' && typeof BroadcastChannel !== 'undefined'

interface TabMessage {
  readonly user: string
  readonly queryKey: QueryKey
  /** Only what is not on screen there either. */
  readonly isForLater: boolean
}

/**
 * A query client that tells the user's other tabs what a change has made stale. A tab out of view fetches it when it is
 * looked at again.
 */
export class SharedQueryClient extends QueryClient {
  readonly #channel = isBrowser ? new BroadcastChannel('alcove-changes') : undefined

  constructor(...config: ConstructorParameters<typeof QueryClient>) {
    super(...config)
    this.#channel?.addEventListener('message', ({ data: { user, queryKey, isForLater } }: MessageEvent<TabMessage>) => {
      if (user !== getSession().email) return
      void super.invalidateQueries({
        queryKey,
        refetchType: document.hidden ? 'none' : 'active',
        type: isForLater ? 'inactive' : 'all',
      })
    })
  }

  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    ...options: never[]
  ): Promise<void> {
    const user = getSession().email
    const queryKey = filters?.queryKey
    const isForLater = filters?.type === 'inactive'
    if (user && queryKey) this.#channel?.postMessage({ user, queryKey, isForLater } satisfies TabMessage)
    return super.invalidateQueries(filters, ...options)
  }

  /** Refetches what is on screen after a change on another device, in this tab alone: the other tabs poll too. */
  refetchAll(): Promise<void> {
    return super.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== VERSION })
  }
}

/** The version that the lists on screen were fetched at, or an earlier one. */
const knownVersion = createStore<string | undefined>(undefined)

/**
 * Notes the version that came with the first lists. Later ones are left to the poll: a version read after a change of
 * our own may include one of another device that no list shows yet.
 */
export function noteFirstVersion(version: string): void {
  if (knownVersion.get() === undefined) knownVersion.set(version)
}

/** Fetches anew what is on screen when another device has changed something: on focus, and every 20 seconds in view. */
export function useChangesElsewhere(): void {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: [VERSION],
    queryFn: ({ signal }) => send(getStorage, {}, { signal }),
    // The first version comes with the storage, at the same time as the lists.
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: POLL_INTERVAL,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    retry: false,
  })
  useEffect(() => {
    if (!data || data.version === knownVersion.get()) return
    knownVersion.set(data.version)
    if (queryClient instanceof SharedQueryClient) void queryClient.refetchAll()
  }, [data, queryClient])
}
