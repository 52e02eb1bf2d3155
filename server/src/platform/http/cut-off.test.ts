import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cutOffWhenQuiet } from './cut-off.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A body on its way, of which so many bytes have come. */
function createRequest() {
  const socket = { bytesRead: 0 }
  return Object.assign(new PassThrough().resume(), { socket })
}

const watch = (request: ReturnType<typeof createRequest>) => cutOffWhenQuiet(request as unknown as IncomingMessage)

test('whoever sends nothing for a minute is cut off, and however slowly, whoever sends is not', () => {
  const [silent, slow] = [createRequest(), createRequest()]
  watch(silent)
  watch(slow)
  for (let second = 0; second < 59; second += 1) {
    if (second % 30 === 0) slow.socket.bytesRead += 1
    vi.advanceTimersByTime(1000)
  }
  expect([silent.destroyed, slow.destroyed]).toEqual([false, false])
  vi.advanceTimersByTime(2000)
  expect([silent.destroyed, slow.destroyed]).toEqual([true, false])
})

test('where somebody waits for it two seconds are enough', () => {
  const request = createRequest()
  const { hurry } = watch(request)
  vi.advanceTimersByTime(10_000)
  expect(request.destroyed).toBe(false)
  hurry()
  vi.advanceTimersByTime(1000)
  expect(request.destroyed).toBe(true)
})

test('what we do not read just now is no silence', () => {
  const request = createRequest()
  watch(request).hurry()
  request.pause()
  vi.advanceTimersByTime(300_000)
  expect(request.destroyed).toBe(false)
  request.resume()
  vi.advanceTimersByTime(3000)
  expect(request.destroyed).toBe(true)
})
