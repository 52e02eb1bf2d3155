import { MEBIBYTE } from '@alcove/contract/limits'
import { expect, test } from 'vitest'
import { digestChunk } from './resume.ts'

const bytes = new Uint8Array(10 * MEBIBYTE).map((_, index) => index % 251)

test('computes the same digest for bytes in memory and in a file', async () => {
  expect(await digestChunk(new Blob([bytes]))).toBe(await digestChunk(bytes.slice()))
  expect(await digestChunk(bytes.subarray(1, 100))).toBe(await digestChunk(new Blob([bytes]).slice(1, 100)))
  expect(await digestChunk(new Blob())).toMatch(/^[0-9a-f]{64}$/)
})

test.each([0, 4 * MEBIBYTE, 7 * MEBIBYTE + 3, 10 * MEBIBYTE - 1])(
  'computes a different digest when the byte at index %i changes',
  async (index) => {
    const changed = bytes.slice()
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(await digestChunk(new Blob([changed]))).not.toBe(await digestChunk(new Blob([bytes])))
    expect(await digestChunk(changed)).not.toBe(await digestChunk(bytes))
  },
)
