import { useSyncExternalStore } from 'react'

/** State that outlives components and that plain functions can read and change too. */
export interface Store<State> {
  readonly get: () => State
  /** The state that prerendered pages show, and so the one that they are hydrated with. */
  readonly getPrerendered: () => State
  /** Replaces the state. Another object is a change even if its fields are the same. */
  readonly set: (next: State) => void
  /** Calls `listener` after each change. Returns a function that stops that. */
  readonly subscribe: (listener: () => void) => () => void
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    getPrerendered: () => (typeof window === 'undefined' ? state : initial),
    set(next) {
      if (Object.is(state, next)) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Returns the state of a store, or what `select` takes from it, kept up to date. The component renders again only if
 * that has changed, so `select` must return the same value for the same state.
 */
export function useStore<State>(store: Store<State>): State
export function useStore<State, Selected>(store: Store<State>, select: (state: State) => Selected): Selected
export function useStore<State, Selected>(store: Store<State>, select?: (state: State) => Selected) {
  return useSyncExternalStore<State | Selected>(
    store.subscribe,
    () => (select ? select(store.get()) : store.get()),
    () => (select ? select(store.getPrerendered()) : store.getPrerendered()),
  )
}
