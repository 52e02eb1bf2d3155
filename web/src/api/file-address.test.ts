import '../lib/testing/browser-globals.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findFileAddress } from './file-address.ts'

let count = 0

beforeEach(() => {
  vi.stubGlobal('window', { location: { origin: 'https://alcove.test' } })
  vi.stubGlobal('fetch', async () => Response.json({ url: `https://server.test/api/download-item/a?${++count}` }))
})

afterEach(() => vi.unstubAllGlobals())

test('reuses the address of a file, but not for the bytes that replace it', async () => {
  const file = { id: 'a', updatedAt: '2026-07-01T10:00:00.000Z' }
  const first = await findFileAddress(file)
  expect(await findFileAddress({ ...file })).toBe(first)
  const replaced = await findFileAddress({ ...file, updatedAt: '2026-07-01T10:01:00.000Z' })
  expect(replaced).not.toBe(first)
  const version = await findFileAddress({ ...file, versionId: 'v' })
  expect([first, replaced]).not.toContain(version)
  // A version keeps its bytes when the file gets others.
  expect(await findFileAddress({ id: 'a', updatedAt: '2026-07-01T10:02:00.000Z', versionId: 'v' })).toBe(version)
})
