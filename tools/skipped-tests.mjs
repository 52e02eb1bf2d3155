import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What some tests need of the machine, and are skipped without. */
const PROGRAMS = ['ffmpeg', 'nginx', 'openssl', 'redis-server']

/** Says in one line how many tests were skipped and why; undefined where none was. */
export function describeSkipped(count, testNames, path = process.env.PATH ?? '') {
  if (count === 0) return undefined
  const missing = PROGRAMS.filter((name) => !isInstalled(name, path))
  // A test that needs something else of the machine says so at the end of its name.
  const needs = new Set(testNames.flatMap((name) => /\((needs (?:[^()]|\([^()]*\))*)\)/.exec(name)?.[1] ?? []))
  const reasons = [...(missing.length > 0 ? [`not installed: ${missing.join(', ')}`] : []), ...needs]
  const others = 'the rest belong to another database or store than the one under test'
  return `Skipped ${count} ${count === 1 ? 'test' : 'tests'} (${[...reasons, others].join('; ')}).`
}

/** The names of the tests that a report of Vitest counts as skipped. */
export function skippedInVitest({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return tests.filter(({ status }) => status === 'pending' || status === 'skipped').map(({ fullName }) => fullName)
}

function isInstalled(name, path) {
  const folders = [...path.split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.some((folder) => existsSync(join(folder, name)))
}
