import { randomUUIDv7 } from 'node:crypto'

/** The most that the 12 bits after the version can count to. */
const MAX_COUNT = 0xfff
let lastTime = ''
let count = 0

/**
 * Returns a UUID of version 7 that sorts after those before it from this process, also within a millisecond: the bits behind the
 * version count (RFC 9562, section 6.2, method 1), where `randomUUIDv7` has random ones. Those beyond 4,096 in a millisecond, or after
 * the system's clock was set back, aren't in order.
 */
export function orderedId(): string {
  const id = randomUUIDv7()
  const time = id.slice(0, 13)
  count = time === lastTime ? Math.min(count + 1, MAX_COUNT) : 0
  lastTime = time
  return `${time}-7${count.toString(16).padStart(3, '0')}${id.slice(18)}`
}
