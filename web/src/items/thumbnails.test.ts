import '../lib/testing/browser-globals.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { ApiError } from '../api/api.ts'
import { createThumbnailStore, type ThumbnailSource } from './thumbnails.ts'

interface Load {
  key: string
  signal: AbortSignal
  finish: (bytes?: number) => void
  fail: (error: unknown) => void
}

let loads: Load[]
beforeEach(() => {
  loads = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

function source(key: string): ThumbnailSource {
  return {
    key,
    load: (signal) =>
      new Promise((resolve, reject) => {
        loads.push({ key, signal, finish: (bytes = 10) => resolve(new Blob(['x'.repeat(bytes)])), fail: reject })
      }),
  }
}

const keysOf = () => loads.map(({ key }) => key)
const settle = () => vi.advanceTimersByTimeAsync(0)

it('does not fetch the picture of a tile that is removed at once', async () => {
  const store = createThumbnailStore()
  for (let index = 0; index < 1000; index++) store.request(source(`${index}`), () => {})()
  store.request(source('last'), () => {})
  await vi.advanceTimersByTimeAsync(200)
  expect(keysOf()).toEqual(['last'])
})

it('limits concurrent loads and starts the newest waiting request first', async () => {
  const store = createThumbnailStore({ atOnce: 2 })
  for (const key of ['a', 'b', 'c', 'd']) store.request(source(key), () => {})
  await vi.advanceTimersByTimeAsync(150)
  for (const key of ['x', 'y']) store.request(source(key), () => {})
  await vi.advanceTimersByTimeAsync(150)
  expect(keysOf()).toEqual(['a', 'b'])
  for (const { finish } of [...loads]) finish()
  await settle()
  expect(keysOf()).toEqual(['a', 'b', 'x', 'y'])
})

it('loads a picture once for all its tiles and aborts when the last tile is removed', async () => {
  const store = createThumbnailStore()
  const told = vi.fn()
  const leave = [store.request(source('a'), told), store.request(source('a'), told)]
  await vi.advanceTimersByTimeAsync(150)
  expect(keysOf()).toEqual(['a'])
  leave[0]?.()
  expect(loads[0]?.signal.aborted).toBe(false)
  leave[1]?.()
  expect(loads[0]?.signal.aborted).toBe(true)
  expect(told).not.toHaveBeenCalled()
})

it('keeps shown and recently used pictures and evicts the others', async () => {
  const store = createThumbnailStore({ maxBytes: 25 })
  const show = async (key: string) => {
    const leave = store.request(source(key), () => {})
    await vi.advanceTimersByTimeAsync(150)
    loads.at(-1)?.finish(10)
    await settle()
    return leave
  }
  await show('shown')
  for (const key of ['old', 'new']) (await show(key))()
  expect(['shown', 'old', 'new'].map((key) => store.find(key) !== undefined)).toEqual([true, false, true])
  store.clear()
  expect(store.find('shown')).toBeUndefined()
})

it('retries after a server or network error but not after a 415 response', async () => {
  const store = createThumbnailStore({ retryDelay: 1000 })
  const told = vi.fn()
  store.request(source('refused'), told)
  store.request(source('busy'), told)
  store.request(source('offline'), told)
  await vi.advanceTimersByTimeAsync(150)
  loads[0]?.fail(new ApiError(415))
  loads[1]?.fail(new ApiError(503, undefined, '2'))
  loads[2]?.fail(new TypeError('network'))
  await vi.advanceTimersByTimeAsync(1100)
  expect(keysOf()).toEqual(['refused', 'busy', 'offline', 'offline'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(keysOf().at(-1)).toBe('busy')
  store.request(source('refused'), told)
  await vi.advanceTimersByTimeAsync(500)
  expect(keysOf().filter((key) => key === 'refused').length).toBe(1)
  loads.at(-1)?.finish()
  await settle()
  expect(told).toHaveBeenCalledTimes(1)
})
