import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { afterPaint } from './after-paint.ts'
import { createStore } from './store.ts'

/** A module that the first screen doesn't need. */
export interface LazyModule<M> {
  readonly loaded: M | undefined
  /** Fetches the module unless it is loaded or being fetched. After a failure it is fetched again. */
  readonly load: () => Promise<M>
  /** Calls `run` when the module has been loaded, without fetching it for that. Returns a function that stops that. */
  readonly onLoaded: (run: (module: M) => void) => () => void
}

type AnyModule = Pick<LazyModule<unknown>, 'loaded' | 'load'>

/** The modules that are still to be fetched after the first screen. */
const queue = { soon: new Set<AnyModule>(), idle: new Set<AnyModule>() }
const hasBegun = createStore(false)

/**
 * Declares a module that is fetched when it is first needed, but at the latest after the first screen is shown: at once
 * if `when` is `soon`, otherwise when the browser is idle.
 */
export function lazyModule<M>(fetch: () => Promise<M>, when: 'idle' | 'soon' = 'idle'): LazyModule<M> {
  const state = createStore<M | undefined>(undefined)
  let loading: Promise<M> | undefined
  const lazy: LazyModule<M> = {
    get loaded() {
      return state.get()
    },
    load() {
      loading ??= fetch().then(
        (module) => {
          state.set(module)
          return module
        },
        (error) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
    onLoaded: (run) => state.subscribe(() => run(state.get() as M)),
  }
  queue[when].add(lazy)
  if (hasBegun.get()) void fetchQueue()
  return lazy
}

/** The delay in milliseconds before a module that could not be fetched is fetched again. */
const RETRY_DELAY = 3000

/** Returns a module once it is loaded. It is fetched at once if it `isWanted`, otherwise after the first screen. */
export function useLazyModule<M>(lazy: LazyModule<M>, isWanted = true): M | undefined {
  const loaded = useSyncExternalStore(
    lazy.onLoaded,
    () => lazy.loaded,
    () => undefined,
  )
  useEffect(() => {
    if (!isWanted || loaded) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const fetch = () =>
      void lazy.load().catch(() => {
        if (!isOver) timer = setTimeout(fetch, RETRY_DELAY)
      })
    fetch()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [lazy, isWanted, loaded])
  return loaded
}

/** A first screen that waits longer for its content, in milliseconds, doesn't delay the other modules any more. */
const LONGEST_WAIT = 10_000

/** Fetches the modules as soon as the first screen has its responses from the server and has been painted. */
export function loadModulesAfter(queryClient: QueryClient): () => void {
  const begin = () => {
    stop()
    hasBegun.set(true)
    void fetchQueue()
  }
  const look = () => {
    if (queryClient.isFetching() > 0) return
    unsubscribe()
    requestAnimationFrame(() => afterPaint(begin))
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

/**
 * Fetches the modules for idle time one after the other. If one fails, it is fetched when it is needed. Starting a
 * request takes the browser a few milliseconds for each file, so each module is fetched in a separate task.
 */
async function fetchQueue(): Promise<void> {
  const soon: Promise<void>[] = []
  for (const lazy of queue.soon) {
    queue.soon.delete(lazy)
    soon.push(fetchUntilLoaded(lazy))
    await new Promise((resolve) => setTimeout(resolve))
  }
  await Promise.all(soon)
  for (const lazy of queue.idle) {
    queue.idle.delete(lazy)
    if (lazy.loaded) continue
    await idle()
    await lazy.load().catch(() => undefined)
  }
}

/** Resolves after the first attempt. Nothing else requests these modules, so the attempts go on until one succeeds. */
async function fetchUntilLoaded(lazy: AnyModule): Promise<void> {
  await lazy.load().catch(() => setTimeout(() => void fetchUntilLoaded(lazy), RETRY_DELAY))
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 500 })
    else setTimeout(resolve, 50)
  })
}

/**
 * Returns what `load` fetches once it is there, for code that is fetched only when it is needed. Unlike React's `lazy`
 * it can be retried.
 */
export function useLoaded<T>(load: () => Promise<T>, onFail: () => void): T | undefined {
  // In an object, because `setState` would call a function.
  const [loaded, setLoaded] = useState<{ readonly value: T }>()
  const start = useEffectEvent(load)
  const fail = useEffectEvent(onFail)
  useEffect(() => {
    let isWanted = true
    start().then(
      (value) => isWanted && setLoaded({ value }),
      () => isWanted && fail(),
    )
    return () => {
      isWanted = false
    }
  }, [])
  return loaded?.value
}
