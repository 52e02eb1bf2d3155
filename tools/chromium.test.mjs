import { expect, test } from 'vitest'
import { browserForTests } from './chromium.mjs'

const command = 'npx playwright install chromium'
const none = () => ({ command })

test('returns the Chromium that was found for the browser tests', () => {
  expect(browserForTests({}, () => ({ path: '/usr/bin/chromium' }))).toEqual({ path: '/usr/bin/chromium' })
})

test('skips the browser tests without a Chromium, and names the command that installs one', () => {
  const { path, skipped } = browserForTests({}, none)
  expect(path).toBeUndefined()
  expect(skipped).toMatch(/^browser tests, because .* Run: npx playwright install chromium$/)
  expect(skipped).not.toContain('\n')
})

test('fails the browser tests without a Chromium if CI is set', () => {
  expect(() => browserForTests({ CI: 'true' }, none)).toThrow(command)
})

test('fails the browser tests if ALCOVE_CHROMIUM names a program that does not run', () => {
  for (const CI of ['true', '']) {
    expect(() => browserForTests({ CI, ALCOVE_CHROMIUM: '/nowhere/chromium' })).toThrow(
      "ALCOVE_CHROMIUM names /nowhere/chromium, which can't be run.",
    )
  }
})
