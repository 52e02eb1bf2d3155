import { setTimeout as wait } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { afterEach, expect, it, vi } from 'vitest'
import { releaseMemoryWhenIdle } from './idle-memory.ts'

const MEBIBYTE = 1024 * 1024
const INTERVAL = 100

let stop = () => {}
afterEach(() => stop())

/** Takes memory that is garbage when this returns. */
function takeMemory(): void {
  const objects: object[] = []
  for (let index = 0; index < 1_000_000; index += 1) objects.push({ index, other: index })
}

/** Uses the processor without a pause for longer than an interval. */
function work(): void {
  const end = performance.now() + 2 * INTERVAL
  while (performance.now() < end) takeMemory()
}

it('returns the memory of garbage to the system when the process is idle', async () => {
  takeMemory()
  const before = getHeapStatistics().total_heap_size
  const released = vi.fn()
  stop = releaseMemoryWhenIdle(released, INTERVAL)
  await vi.waitFor(() => expect(released).toHaveBeenCalledOnce(), 20_000)
  expect(getHeapStatistics().total_heap_size).toBeLessThan(before - 20 * MEBIBYTE)
})

it('leaves a busy process alone', async () => {
  const released = vi.fn()
  stop = releaseMemoryWhenIdle(released, INTERVAL)
  for (let time = 0; time < 5; time += 1) {
    work()
    await wait(1)
  }
  expect(released).not.toHaveBeenCalled()
})
