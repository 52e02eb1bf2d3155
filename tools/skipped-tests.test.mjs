import { expect, test } from 'vitest'
import { describeSkipped, skippedInVitest } from './skipped-tests.mjs'

const nothing = '/nowhere'

test('explains skipped tests in one line with what is missing on the machine', () => {
  const names = ['a full disk (needs root) rejects', 'a full disk (needs root) keeps', 'on PostgreSQL']
  const line = describeSkipped(3, names, nothing)
  expect(line).toMatch(/^Skipped 3 tests \(not installed: .*ffmpeg.*; needs root; the rest belong to another database/)
  expect(line).not.toContain('\n')
})

test('includes a reason with parentheses completely', () => {
  expect(describeSkipped(1, ['x (needs a mount namespace (Linux))'], nothing)).toContain(
    'needs a mount namespace (Linux)',
  )
})

test('returns undefined if no test was skipped', () => {
  expect(describeSkipped(0, [], nothing)).toBeUndefined()
})

test('returns the names of the skipped tests only', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'a' },
    { status: 'pending', fullName: 'b' },
    { status: 'skipped', fullName: 'c' },
  ]
  expect(skippedInVitest({ testResults: [{ assertionResults }] })).toEqual(['b', 'c'])
})
