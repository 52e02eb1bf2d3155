import { crc32 as reference } from 'node:zlib'
import { expect, it } from 'vitest'
import { crc32 } from './crc32.ts'

it('is what others compute, whatever the length and however the bytes are cut', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * 131 + (index >> 3)) & 255)
  for (const length of [0, 1, 2, 3, 4, 5, 7, 8, 999, 1000]) {
    expect(crc32(bytes.subarray(0, length))).toBe(reference(bytes.subarray(0, length)))
  }
  expect(crc32(bytes.subarray(13), crc32(bytes.subarray(0, 13)))).toBe(reference(bytes))
})
