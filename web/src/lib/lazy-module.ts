import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

/** A part of the program that the first screen can do without. Once it is there it can be used at once. */
export interface LazyModule<M> {
  readonly loaded: M | undefined
  /** Fetches it, if that has not been done; after a failure, again. */
  readonly load: () => Promise<M>
  /** Runs something once it is there, without fetching it for that. Answers how to call it off. */
  readonly onLoaded: (run: (module: M) => void) => () => void
}

type AnyPart = Pick<LazyModule<unknown>, 'loaded' | 'load'>

const soonParts = new Set<AnyPart>()
const idleParts = new Set<AnyPart>()
let hasBegun = false

/**
 * Names a part that is fetched when it is first needed, or else after the screen is shown: at once if it is wanted
 * `soon`, or when the browser has nothing to do.
 */
export function lazyModule<M>(fetch: () => Promise<M>, when: 'idle' | 'soon' = 'idle'): LazyModule<M> {
  let loaded: M | undefined
  let loading: Promise<M> | undefined
  const listeners = new Set<(module: M) => void>()
  const part: LazyModule<M> = {
    get loaded() {
      return loaded
    },
    load() {
      loading ??= fetch().then(
        (module) => {
          loaded = module
          for (const run of listeners) run(module)
          listeners.clear()
          return module
        },
        (error) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
    onLoaded(run) {
      listeners.add(run)
      return () => listeners.delete(run)
    },
  }
  if (when === 'soon') soonParts.add(part)
  else idleParts.add(part)
  if (hasBegun) void fetchParts()
  return part
}

/** After so many milliseconds, what is wanted and could not be fetched is tried again. */
const RETRY_DELAY = 3000

/** A part for a component, which shows without it until it is there. Unless it `isWanted` it may come in its own time. */
export function useLazyModule<M>(part: LazyModule<M>, isWanted = true): M | undefined {
  const loaded = useSyncExternalStore(
    part.onLoaded,
    () => part.loaded,
    () => undefined,
  )
  useEffect(() => {
    if (!isWanted || loaded) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const fetch = () =>
      void part.load().catch(() => {
        if (!isOver) timer = setTimeout(fetch, RETRY_DELAY)
      })
    fetch()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [part, isWanted, loaded])
  return loaded
}

/** A screen that waits longer than this for its content, in milliseconds, no longer holds the other parts up. */
const LONGEST_WAIT = 10_000

/** Has the parts fetched as soon as the first screen has what it asked the server for, and has been painted. */
export function loadModulesAfter(queryClient: QueryClient): () => void {
  const begin = () => {
    stop()
    hasBegun = true
    void fetchParts()
  }
  const look = () => {
    if (queryClient.isFetching() > 0) return
    unsubscribe()
    requestAnimationFrame(() => requestAnimationFrame(begin))
  }
  const timer = setTimeout(begin, LONGEST_WAIT)
  const unsubscribe = queryClient.getQueryCache().subscribe(look)
  const stop = () => {
    clearTimeout(timer)
    unsubscribe()
  }
  look()
  return stop
}

/** Those for idle time one after another, in the order in which they were named. What fails of them is fetched when needed. */
async function fetchParts(): Promise<void> {
  const soon = [...soonParts].map(fetchUntilThere)
  soonParts.clear()
  await Promise.all(soon)
  for (const part of idleParts) {
    idleParts.delete(part)
    if (part.loaded) continue
    await idle()
    await part.load().catch(() => undefined)
  }
}

/** Nothing asks for these again, so they are tried until they come; only the first try is waited for. */
async function fetchUntilThere(part: AnyPart): Promise<void> {
  await part.load().catch(() => setTimeout(() => void fetchUntilThere(part), RETRY_DELAY))
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 500 })
    else setTimeout(resolve, 50)
  })
}
