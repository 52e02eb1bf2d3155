import { expect, it } from 'vitest'
import { zipRecords } from './zip-records.ts'

const modified = new Date(2026, 2, 3, 4, 5, 6)
const HUGE = 5 * 2 ** 32 + 7

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

it('has the size of a file beyond 4 GiB, and the place of the next one, in fields of their own', () => {
  const { heads, end } = zipRecords([
    { path: 'huge', size: HUGE, sum: 1, modified },
    { path: 'next', size: 3, sum: 2, modified },
  ])
  const [first, next] = heads as [Uint8Array, Uint8Array]
  expect(view(first).getUint32(18, true)).toBe(0xffffffff)
  expect(view(first).getUint16(28, true)).toBe(20)
  expect(view(first).getBigUint64(30 + 4 + 4, true)).toBe(BigInt(HUGE))
  expect(next.length).toBe(30 + 4)

  const place = BigInt(first.length + HUGE)
  const entry = 46 + 4 + 20
  expect(view(end).getUint32(entry + 24, true)).toBe(3)
  expect(view(end).getUint32(entry + 42, true)).toBe(0xffffffff)
  expect(view(end).getBigUint64(entry + 46 + 4 + 4, true)).toBe(place)
  const list = BigInt(entry + 46 + 4 + 12)
  expect(view(end).getUint32(Number(list), true)).toBe(0x06064b50)
  expect(view(end).getBigUint64(Number(list) + 40, true)).toBe(list)
  expect(view(end).getBigUint64(Number(list) + 48, true)).toBe(place + BigInt(next.length + 3))
})

it('counts beyond 65,535 files', () => {
  const { end } = zipRecords(
    Array.from({ length: 70_000 }, (_, index) => ({ path: `${index}`, size: 0, sum: 0, modified })),
  )
  expect(view(end).getUint16(end.length - 12, true)).toBe(0xffff)
  expect(view(end).getBigUint64(end.length - 22 - 20 - 56 + 24, true)).toBe(70_000n)
})
