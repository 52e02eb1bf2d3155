import type { CheckResult } from '@alcove/contract/admin-checks'
import { expect, it } from 'vitest'
import { withOwnClock } from './with-own-clock.ts'

const check: CheckResult = { id: 'clock', label: 'Clock', state: 'skipped', message: '', fix: null }

it('compares the clock of the server with that of the browser if the server knows no other', () => {
  expect(withOwnClock([check], 2000)[0]).toMatchObject({ state: 'ok', fix: null })
  expect(withOwnClock([check], 90_400)[0]).toMatchObject({
    state: 'warning',
    message: 'The clock of the server is 90 s ahead of that of your browser.',
  })
  expect(withOwnClock([check], -90_400)[0]?.message).toContain('90 s behind')
})

it('leaves other results as they are', () => {
  const others = [
    { ...check, state: 'failed' as const },
    { ...check, id: 'mail' },
  ]
  expect(withOwnClock(others, 90_000)).toEqual(others)
})
