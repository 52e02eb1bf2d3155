import { expect, test } from 'vitest'
import { browserForTests } from './chromium.mjs'

const command = 'npx playwright install chromium'
const none = () => ({ command })

test('the browser tests run on the Chromium that is found', () => {
  expect(browserForTests({}, () => ({ path: '/usr/bin/chromium' }))).toEqual({ path: '/usr/bin/chromium' })
})

test('without a Chromium the browser tests are skipped, and one line names the command that installs one', () => {
  const { path, skipped } = browserForTests({}, none)
  expect(path).toBeUndefined()
  expect(skipped).toMatch(/^browser tests, because .* Run: npx playwright install chromium$/)
  expect(skipped).not.toContain('\n')
})

test('without a Chromium the browser tests fail if CI is set', () => {
  expect(() => browserForTests({ CI: 'true' }, none)).toThrow(command)
})

test('a Chromium that is chosen but does not run fails the browser tests everywhere', () => {
  for (const CI of ['true', '']) {
    expect(() => browserForTests({ CI, ALCOVE_CHROMIUM: '/nowhere/chromium' })).toThrow(
      "ALCOVE_CHROMIUM names /nowhere/chromium, which can't be run.",
    )
  }
})
