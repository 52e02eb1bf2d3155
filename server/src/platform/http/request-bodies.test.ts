import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { abortWhenIdle } from './request-bodies.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Creates a request whose body is arriving. Tests change `socket.bytesRead`. */
function createRequest() {
  const socket = { bytesRead: 0 }
  return Object.assign(new PassThrough().resume(), { socket })
}

const watch = (request: ReturnType<typeof createRequest>) => abortWhenIdle(request as unknown as IncomingMessage)

test('disconnects a client that sends next to nothing for a minute, but not a slow one', () => {
  const [silent, trickling, slow] = [createRequest(), createRequest(), createRequest()]
  for (const request of [silent, trickling, slow]) watch(request)
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      trickling.socket.bytesRead += 10
      slow.socket.bytesRead += 1100
      vi.advanceTimersByTime(1000)
    }
    return [silent, trickling, slow].map(({ destroyed }) => destroyed)
  }
  expect(pass(59)).toEqual([false, false, false])
  expect(pass(2)).toEqual([true, true, false])
  expect(pass(600)).toEqual([true, true, false])
})

test('disconnects an idle client after two seconds if another request waits for it', () => {
  const request = createRequest()
  const { hurry } = watch(request)
  vi.advanceTimersByTime(10_000)
  expect(request.destroyed).toBe(false)
  hurry()
  vi.advanceTimersByTime(1000)
  expect(request.destroyed).toBe(true)
})

test('does not count the time while the server itself pauses reading', () => {
  const request = createRequest()
  watch(request).hurry()
  request.pause()
  vi.advanceTimersByTime(300_000)
  expect(request.destroyed).toBe(false)
  request.resume()
  vi.advanceTimersByTime(3000)
  expect(request.destroyed).toBe(true)
})
