import type { OutputOf } from '@alcove/contract/call'
import { getStorage } from '@alcove/contract/files'
import {
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { lazyModule, useLazyModule } from '../lib/lazy-module.ts'
import { createStore, useStore } from '../lib/store.ts'
import { send } from './api.ts'
import { areOwnChanges, changesUnderWay } from './own-changes.ts'
import { getSession, onUserChange, useSession } from './session.ts'
import { announced } from './site-state.ts'
import { noteUnreadNotices } from './unread-notices.ts'

/** How often a tab in view asks for the version while it gets no events, in milliseconds. */
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
      if (user !== getSession().userId) return
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
    const user = getSession().userId
    const queryKey = filters?.queryKey
    const isForLater = filters?.type === 'inactive'
    if (user && queryKey) this.#channel?.postMessage({ user, queryKey, isForLater } satisfies TabMessage)
    return super.invalidateQueries(filters, ...options)
  }

  /** Refetches what is on screen after a change on another device, in this tab alone: the other tabs get events too. */
  refetchAll(): Promise<void> {
    return super.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== VERSION })
  }
}

type Versions = Pick<OutputOf<typeof getStorage>, 'version' | 'shared_version'>

/** The version that the lists on screen were fetched at, or an earlier one. */
const knownVersion = createStore<string | undefined>(undefined)
/** The newest version that the server has told. */
const newestVersion = createStore<string | undefined>(undefined)
/** The same two versions of what others share with the user. */
const knownShared = createStore<string | undefined>(undefined)
const newestShared = createStore<string | undefined>(undefined)
/** Whether events arrive, so that nothing needs to be polled. */
const isLive = createStore(false)

onUserChange(() => {
  knownVersion.set(undefined)
  newestVersion.set(undefined)
  knownShared.set(undefined)
  newestShared.set(undefined)
})

/**
 * Notes the versions that came with the first lists. Later ones are left to the events: a version read after a change of
 * our own may include one of another device that no list shows yet.
 */
export function noteFirstVersions({ version, shared_version }: Versions): void {
  if (knownVersion.get() !== undefined) return
  knownVersion.set(version)
  knownShared.set(shared_version)
}

/** How long an event waits for the response to the change of our own that may have caused it, in milliseconds. */
const RESPONSE_WITHIN = 300
/** The shortest time between two refetches in milliseconds, and how many times as long as the first one took. */
const PAUSE = { shortest: 1_000, times: 3 }

let isCatchingUp = false

/** Refetches what is on screen until it is as new as the server's version, unless only our own changes led to that. */
async function catchUp(queryClient: QueryClient): Promise<void> {
  if (isCatchingUp || !(queryClient instanceof SharedQueryClient)) return
  isCatchingUp = true
  try {
    while (!isUpToDate()) {
      await wait(RESPONSE_WITHIN)
      await untilNoChanges()
      if (isUpToDate()) return
      knownVersion.set(newestVersion.get())
      knownShared.set(newestShared.get())
      const start = performance.now()
      await queryClient.refetchAll()
      await wait(Math.max(PAUSE.shortest, (performance.now() - start) * PAUSE.times))
    }
  } finally {
    isCatchingUp = false
  }
}

function isUpToDate(): boolean {
  // In shared folders, a change of our own can't be told from one of somebody else.
  if (knownShared.get() !== newestShared.get()) return false
  const newest = newestVersion.get()
  if (newest === undefined) return true
  if (!areOwnChanges(knownVersion.get(), newest)) return false
  // The changes have made their lists stale themselves.
  knownVersion.set(newest)
  return true
}

/** A response from before a change of our own is over could show for a moment what the user has just removed. */
function untilNoChanges(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (changesUnderWay.get() > 0) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = changesUnderWay.subscribe(look)
    look()
  })
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

// Fetched after the first screen.
const eventStream = lazyModule(() => import('./event-stream.ts'), 'soon')

/**
 * Fetches anew what is on screen when another device has changed something. The server sends events while the tab is in
 * view. Without them, the tab asks for the version every 20 seconds. It also does on focus.
 */
export function useChangesElsewhere(): void {
  const queryClient = useQueryClient()
  const { token } = useSession()
  const stream = useLazyModule(eventStream, false)
  const hasEvents = useStore(isLive)
  const { data } = useQuery({
    queryKey: [VERSION],
    queryFn: ({ signal }) => send(getStorage, {}, { signal }),
    // The first version comes with the storage, at the same time as the lists.
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: hasEvents ? false : POLL_INTERVAL,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    retry: false,
  })
  useEffect(() => noteUnreadNotices(data?.unread_notices), [data])
  useEffect(() => {
    if (!data) return
    newestVersion.set(data.version)
    newestShared.set(data.shared_version)
    announced.set(data.announcement ?? null)
    void catchUp(queryClient)
  }, [data, queryClient])
  useEffect(() => {
    if (!stream || !token) return
    return stream.readEvents({
      onLive: isLive.set,
      onEvent: (event) => {
        // A newer server may send others.
        if (event.type === 'announcement') announced.set(event.announcement)
        if (event.type === 'notices') noteUnreadNotices(event.unread)
        if (event.type === 'changes') newestVersion.set(event.version)
        else if (event.type === 'shared') newestShared.set(event.version)
        else return
        void catchUp(queryClient)
      },
    })
  }, [stream, token, queryClient])
}
