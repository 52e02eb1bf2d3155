import type { FastifyRequest } from 'fastify'

/** The `100 Continue` that a request waits for before it sends its body. `app.ts` leaves it to the handlers of this module. */
const waiting = new WeakMap<object, () => void>()

/** Remembers how to let a client send its body (`Expect: 100-continue`). */
export function expectContinue(request: FastifyRequest, sendContinue: () => void): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') waiting.set(request.raw, sendContinue)
}

/** Returns whether a client waits before it sends its body. */
export function isWaiting({ raw }: FastifyRequest): boolean {
  return waiting.has(raw)
}

/** Lets a waiting client send its body, once. */
export function continueRequest({ raw }: FastifyRequest): void {
  const sendContinue = waiting.get(raw)
  waiting.delete(raw)
  sendContinue?.()
}
