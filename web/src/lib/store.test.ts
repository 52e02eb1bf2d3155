import { expect, test, vi } from 'vitest'
import { createStore } from './store.ts'

test('a store calls its listeners after each change until they unsubscribe', () => {
  const store = createStore(1)
  const seen: number[] = []
  const stop = store.subscribe(() => seen.push(store.get()))
  store.set(2)
  stop()
  store.set(3)
  expect(seen).toEqual([2])
  expect(store.get()).toBe(3)
})

test('a store does not call its listeners if the state stays the same', () => {
  const state = { count: 1 }
  const store = createStore(state)
  const listener = vi.fn()
  store.subscribe(listener)
  store.set(state)
  expect(listener).not.toHaveBeenCalled()
  store.set({ count: 1 })
  expect(listener).toHaveBeenCalledOnce()
})

test('a listener that unsubscribes while it is called does not affect the others', () => {
  const store = createStore(1)
  const listener = vi.fn()
  const stop = store.subscribe(() => stop())
  store.subscribe(listener)
  store.set(2)
  expect(listener).toHaveBeenCalledOnce()
})

test('returns the initial state for hydration in the browser and the current state at build time', () => {
  const store = createStore('initial')
  store.set('current')
  vi.stubGlobal('window', {})
  expect(store.getPrerendered()).toBe('initial')
  vi.stubGlobal('window', undefined)
  expect(store.getPrerendered()).toBe('current')
  vi.unstubAllGlobals()
})
