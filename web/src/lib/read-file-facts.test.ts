import { expect, test } from 'vitest'
import { readFileFacts } from './read-file-facts.ts'

test('every file is asked, and the page gets its turn in between', async () => {
  let asked = 0
  const slow = {
    get size() {
      asked += 1
      const until = performance.now() + 2
      while (performance.now() < until);
      return 1
    },
  }
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await readFileFacts(Array.from({ length: 100 }, () => slow))
  clearInterval(timer)
  expect(asked).toBe(100)
  expect(turns).toBeGreaterThan(2)
})
