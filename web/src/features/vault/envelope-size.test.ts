import { expect, test } from 'vitest'
import { contentSizeOf } from '../../items/lists/describe-item.ts'
import { envelopeSize } from './crypto/index.ts'

test.each([0, 1, 2 ** 36 - 32])('lists show the size of a file of %i bytes before encryption', (size) => {
  expect(contentSizeOf({ size: envelopeSize(size), isEncrypted: true })).toBe(size)
  expect(contentSizeOf({ size, isEncrypted: false })).toBe(size)
})
