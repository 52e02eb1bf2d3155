// `npm test`: every check, on a fresh clone too. `--quick` (`npm run check`) leaves out the browser tests, `--scale`
// (`npm run test:scale`) is the tests on real engines alone.
// Must run on the system's Node (20 or newer); the checks themselves run on the repository's own.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { auditPackages } from './audit.mjs'
import { ensureChromium } from './chromium.mjs'
import { failedInPlaywright, failedInVitest } from './failed-tests.mjs'
import { ensureInstalled, ensureWebBuilt, nodeBinary, root } from './prepare.mjs'
import { describeSkipped, skippedInVitest } from './skipped-tests.mjs'

const readers = [
  ['Types', () => tool('typescript/bin/tsc', ['-b'])],
  ['Format and lint', () => tool('@biomejs/biome/bin/biome', ['check', '.', '--error-on-warnings'])],
  ['Who imports whom', () => program(join(root, 'tools', 'import-law.mjs'))],
  ['Unused code', () => tool('knip/bin/knip.js', [])],
]
const checks = [
  ...readers,
  ['Unit and API tests (SQLite and PostgreSQL)', unitAndApiTests],
  ['Faults: killed, disks, logs (SQLite)', faultTests],
  ['Web build', buildWeb],
  ['Browser tests', browserTests],
  ['Known vulnerabilities in the packages that ship', auditShipped],
]
if (process.argv.includes('--quick'))
  checks.splice(
    checks.findIndex(([name]) => name === 'Browser tests'),
    1,
  )
if (process.argv.includes('--scale')) {
  checks.splice(0, checks.length, ['API, two servers and outages (PostgreSQL, Ceph, Redis, nginx)', scaleTests])
}

try {
  await ensureInstalled()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
const reports = join(root, '.cache', 'reports')
mkdirSync(reports, { recursive: true })

// What only reads the sources, or waits for the registry, goes at once: none of it keeps two processors busy.
const early = checks.filter((each) => readers.includes(each) || each[1] === auditShipped)
const begun = new Map(early.map(([name, check]) => [name, attempt(check)]))
const total = { passed: 0, failed: 0, skipped: 0 }
const skippedTests = []
const failures = []
const failedTests = []
for (const [name, check] of checks) {
  console.log(name)
  const { result, seconds } = await (begun.get(name) ?? attempt(check))
  skippedTests.push(...(result.skipped ?? []))
  if (result.isUnknown) {
    console.log(`  NOT CHECKED: ${result.output}\n`)
    continue
  }
  const counts = result.counts ?? { passed: 0, failed: 0, skipped: 0 }
  // A check that is no list of tests, or that broke before or after them, counts for itself.
  if (!result.counts && result.ok) counts.passed = 1
  if (!result.ok && counts.failed === 0) counts.failed = 1
  for (const key of Object.keys(total)) total[key] += counts[key]
  if (!result.ok) {
    failures.push(name)
    failedTests.push(...(result.failed ?? []))
    console.log(stripVTControlCharacters(result.output).trim())
  }
  const detail = result.counts ? `${inWords(counts)}, ` : ''
  console.log(`  ${result.ok ? 'ok' : 'FAILED'}, ${detail}${seconds} s\n`)
}
// Once more at the end, where one looks first: what the checks said may be long.
for (const test of failedTests.slice(0, 20)) console.log(`${test}\n`)
if (failures.length > 0) console.log(`Failed: ${failures.join('; ')}`)
const skipped = describeSkipped(total.skipped, skippedTests)
if (skipped) console.log(skipped)
console.log(inWords(total))
process.exit(failures.length === 0 ? 0 : 1)

async function attempt(check) {
  const started = performance.now()
  const result = await check().catch((error) => ({ ok: false, output: error.message }))
  return { result, seconds: ((performance.now() - started) / 1000).toFixed(1) }
}

/** No test, and counted as none: where the registry gives no answer, nothing is known and nothing passes. */
async function auditShipped() {
  const { requested, findings } = await auditPackages()
  if (!requested)
    return { isUnknown: true, output: 'the npm registry gave no list of vulnerabilities. Run npm audit where it does.' }
  return {
    ok: findings.length === 0,
    output: findings.join('\n'),
    counts: { passed: 0, failed: findings.length, skipped: 0 },
  }
}

async function unitAndApiTests() {
  const report = freshReport('vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const result = await tool('vitest/vitest.mjs', ['run', ...reporters])
  return { ...result, ...readVitest(report, result) }
}

/** A few rounds; `npm run test:faults` has more. */
async function faultTests() {
  const report = freshReport('faults.json')
  const result = await program(join(root, 'faults', 'run.ts'), ['--short', '--report', report])
  return { ...result, ...readVitest(report, result) }
}

/** Where the machine cannot have the engines, that is said and nothing is counted. */
async function scaleTests() {
  const report = freshReport('scale.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const result = await program(join(root, 'scale', 'run.ts'), reporters)
  const notRun = result.ok && /^Scale tests: not run because .*$/m.exec(result.output)?.[0]
  if (!notRun) return { ...result, ...readVitest(report, result) }
  console.log(notRun)
  process.exit(0)
}

function readVitest(path, result) {
  const report = readReport(path, result)
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report
  const counts = { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
  return { counts, failed: failedInVitest(report, root), skipped: skippedInVitest(report) }
}

async function buildWeb() {
  const built = await ensureWebBuilt()
  return { ok: true, output: built ? '' : 'up to date' }
}

async function browserTests() {
  const ALCOVE_CHROMIUM = ensureChromium()
  const report = freshReport('playwright.json')
  const result = await tool('@playwright/test/cli.js', ['test', '--reporter=list,json'], {
    cwd: join(root, 'e2e'),
    env: { ...environment(), ALCOVE_CHROMIUM, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  const found = readReport(report, result)
  const { expected, flaky, unexpected, skipped } = found.stats
  const counts = { passed: expected + flaky, failed: unexpected, skipped }
  return { ...result, counts, failed: failedInPlaywright(found) }
}

function freshReport(name) {
  const path = join(reports, name)
  rmSync(path, { force: true })
  return path
}

function readReport(path, { output }) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Error(output || 'The tests ended without a report.')
  }
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

function tool(path, args, options) {
  return program(join(root, 'node_modules', path), args, options)
}

/** Runs a program of ours to its end and keeps what it says, to be shown if it fails. */
function program(path, args = [], options = {}) {
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', 'pipe', 'pipe']
    const child = spawn(nodeBinary, [path, ...args], { cwd: root, env: environment(), stdio, ...options })
    const stop = () => child.kill()
    process.once('SIGTERM', stop)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => {
      process.off('SIGTERM', stop)
      resolve({ ok: code === 0, output })
    })
  })
}

/** The settings of a server that runs here must not reach the tests: they would work on its database. */
function environment() {
  const isSetting = (name) => /^(PORT|HOST|NODE_ENV|STRIPE_.*|ALCOVE_(?!TEST_).*)$/.test(name)
  const kept = Object.entries(process.env).filter(([name]) => !isSetting(name) && name !== 'FORCE_COLOR')
  const path = [dirname(nodeBinary), process.env.PATH].join(delimiter)
  return { ...Object.fromEntries(kept), PATH: path }
}
