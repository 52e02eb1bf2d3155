import { expect, test } from 'vitest'
import { readFileMetadata } from './read-file-metadata.ts'

test('reads the size of every file without blocking the page', async () => {
  let requested = 0
  const slow = {
    get size() {
      requested += 1
      const until = performance.now() + 2
      while (performance.now() < until);
      return 1
    },
  }
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await readFileMetadata(Array.from({ length: 100 }, () => slow))
  clearInterval(timer)
  expect(requested).toBe(100)
  expect(turns).toBeGreaterThan(2)
})
