import { MEBIBYTE } from '@alcove/contract/limits'
import { expect, test } from 'vitest'
import { digestRange } from './chunk-digest.ts'

const bytes = new Uint8Array(10 * MEBIBYTE).map((_, index) => index % 251)
const digestOf = (content: Uint8Array<ArrayBuffer>, start: number, end: number) =>
  digestRange(new File([content], 'a.bin'), start, end)

test('the same bytes have the same digest', async () => {
  expect(await digestOf(bytes, 0, bytes.length)).toBe(await digestOf(bytes.slice(), 0, bytes.length))
  expect(await digestOf(bytes, 0, 0)).toMatch(/^[0-9a-f]{64}$/)
})

test.each([0, 4 * MEBIBYTE, 7 * MEBIBYTE + 3, 10 * MEBIBYTE - 1])('a byte that changed at %i shows', async (index) => {
  const changed = bytes.slice()
  changed[index] = (changed[index] ?? 0) ^ 1
  expect(await digestOf(changed, 0, bytes.length)).not.toBe(await digestOf(bytes, 0, bytes.length))
})

test('what lies outside the part does not count', async () => {
  const changed = bytes.slice()
  changed[0] = 99
  expect(await digestOf(changed, 1, 100)).toBe(await digestOf(bytes, 1, 100))
})
