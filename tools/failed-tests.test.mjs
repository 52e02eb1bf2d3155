import { expect, test } from 'vitest'
import { failedInPlaywright, failedInVitest } from './failed-tests.mjs'

test('lists the failed tests of Vitest and the files that could not be loaded', () => {
  const passed = { status: 'passed', fullName: 'adds', failureMessages: [] }
  const failed = {
    status: 'failed',
    fullName: 'a sum adds up',
    failureMessages: ['\u001b[31mexpected 2\u001b[39m\nat x'],
  }
  const testResults = [
    { name: '/app/a.test.ts', status: 'failed', message: '', assertionResults: [passed, failed] },
    { name: '/app/b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    { name: '/app/c.test.ts', status: 'passed', message: '', assertionResults: [passed] },
  ]
  expect(failedInVitest({ testResults }, '/app')).toEqual([
    'a.test.ts › a sum adds up\n    expected 2\n    at x',
    'b.test.ts\n    Cannot find module',
  ])
})

test('lists tests of a file that fail with the same error together', () => {
  const failing = (fullName, message) => ({ status: 'failed', fullName, failureMessages: [message] })
  const assertionResults = [failing('a', 'timed out'), failing('b', 'expected 1'), failing('c', 'timed out')]
  const testResults = [{ name: '/app/a.test.ts', status: 'failed', message: '', assertionResults }]
  expect(failedInVitest({ testResults }, '/app')).toEqual([
    'a.test.ts › a (and 1 more in this file)\n    timed out',
    'a.test.ts › b\n    expected 1',
  ])
})

test('lists every error of a browser test with its line, and shortens long messages', () => {
  const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n')
  const errors = [{ message: 'Test timeout', location: { line: 7 } }, { message: long }]
  const specs = [
    { ok: true, file: 'a.e2e.ts', line: 1, title: 'goes', tests: [] },
    { ok: false, file: 'a.e2e.ts', line: 5, title: 'stays', tests: [{ results: [{ errors }] }] },
  ]
  const [one, other] = failedInPlaywright({ suites: [{ suites: [{ specs }] }], errors: [{ message: 'No browser' }] })
  expect(one?.split('\n').slice(0, 3)).toEqual(['a.e2e.ts:5 › stays', '    line 7: Test timeout', '    line 0'])
  expect(one?.split('\n')).toHaveLength(14)
  expect(other).toBe('outside of any test\n    No browser')
})
