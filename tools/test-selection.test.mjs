import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onBothDatabases, onOneDatabase, onS3 } from '../vitest.config.ts'
import { root } from './prepare.mjs'
import { slowTests } from './slow-tests.mjs'

/** Expands a pattern with alternatives (`{a,b}`) into patterns without. */
function alternatives(pattern) {
  const group = /\{([^{}]*)\}/.exec(pattern)
  if (!group) return [pattern]
  return group[1].split(',').flatMap((choice) => alternatives(pattern.replace(group[0], choice)))
}

test.each([
  ['on both databases', onBothDatabases],
  ['on one database', onOneDatabase],
  ['on S3', onS3],
  ['by npm test but not by npm run check', slowTests],
])('every file in the list of tests that run %s exists', (_, patterns) => {
  const paths = patterns.flatMap(alternatives)
  expect(paths.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([])
})

test('npm run check runs most of the API tests', () => {
  const slow = new Set(slowTests.flatMap((pattern) => globSync(pattern, { cwd: root })))
  expect(slow.size).toBeLessThan(globSync('server/src/**/*.test.ts', { cwd: root }).length / 2)
})
