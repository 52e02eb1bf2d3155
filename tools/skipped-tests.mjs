import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs that some tests need, and are skipped without. */
const PROGRAMS = ['ffmpeg', 'nginx', 'openssl', 'redis-server']

/** Returns one line with the number of skipped tests and the reasons, or undefined if there are none. */
export function describeSkipped(count, testNames, path = process.env.PATH ?? '') {
  if (count === 0) return undefined
  const missing = PROGRAMS.filter((name) => !isInstalled(name, path))
  // A test that needs something else names it at the end of its own name.
  const needs = new Set(testNames.flatMap((name) => /\((needs (?:[^()]|\([^()]*\))*)\)/.exec(name)?.[1] ?? []))
  const reasons = [...(missing.length > 0 ? [`not installed: ${missing.join(', ')}`] : []), ...needs]
  const others = 'the rest belong to another database or store than the one under test'
  return `Skipped ${count} ${count === 1 ? 'test' : 'tests'} (${[...reasons, others].join('; ')}).`
}

/** Returns the names of the skipped tests in a report of Vitest. */
export function skippedInVitest({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return tests.filter(({ status }) => status === 'pending' || status === 'skipped').map(({ fullName }) => fullName)
}

function isInstalled(name, path) {
  const folders = [...path.split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.some((folder) => existsSync(join(folder, name)))
}
