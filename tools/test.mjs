// Runs the checks of the repository and counts their results.
//   npm test             every check, also on a fresh clone
//   npm run check        --quick: what fits in two minutes on two cores and needs no network
//   npm run test:scale   --scale: the tests on real engines
//   npm run test:clients --clients: sync and backup programs that others wrote
// This file must run on the system's Node (20 or newer). The checks run on the repository's own.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { auditPackages } from './audit.mjs'
import { browserForTests } from './chromium.mjs'
import { failedInPlaywright, failedInVitest } from './failed-tests.mjs'
import { ensureInstalled, ensureWebBuilt, nodeBinary, root } from './prepare.mjs'
import { describeSkipped, skippedInVitest } from './skipped-tests.mjs'
import { slowTests } from './slow-tests.mjs'

const readers = [
  ['Types', () => tool('typescript/bin/tsc', ['-b'])],
  ['Format and lint', () => tool('@biomejs/biome/bin/biome', ['check', '.', '--error-on-warnings'])],
  ['Import rules', () => program(join(root, 'tools', 'import-law.mjs'))],
  ['Unused code', () => tool('knip/bin/knip.js', [])],
]
/** Failures of a check that are repeated at the end. More would hide those of the next check. */
const MAX_REPEATED = 10
const checks = chooseChecks()

try {
  await ensureInstalled()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
const reports = join(root, '.cache', 'reports')
mkdirSync(reports, { recursive: true })

// These only read the sources or wait for the registry, so they run beside the tests.
const early = checks.filter((each) => readers.includes(each) || each[1] === auditShipped)
const begun = new Map(early.map(([name, check]) => [name, attempt(check)]))
const total = { passed: 0, failed: 0, skipped: 0 }
const skippedTests = []
const notChecked = []
const failures = []
const failedTests = []
for (const [name, check] of checks) {
  console.log(name)
  const { result, seconds } = await (begun.get(name) ?? attempt(check))
  skippedTests.push(...(result.skipped ?? []))
  if (result.notChecked) {
    console.log(`  NOT CHECKED: ${result.notChecked}\n`)
    notChecked.push(result.notChecked)
    continue
  }
  const counts = result.counts ?? { passed: 0, failed: 0, skipped: 0 }
  // A check without a list of tests counts as one test. So does one that failed outside of its tests.
  if (!result.counts && result.ok) counts.passed = 1
  if (!result.ok && counts.failed === 0) counts.failed = 1
  for (const key of Object.keys(total)) total[key] += counts[key]
  if (!result.ok) {
    failures.push(name)
    failedTests.push(...(result.failed ?? []).slice(0, MAX_REPEATED))
    console.log(stripVTControlCharacters(result.output).trim())
  }
  const detail = result.counts ? `${inWords(counts)}, ` : ''
  console.log(`  ${result.ok ? 'ok' : 'FAILED'}, ${detail}${seconds} s\n`)
}
// Repeats the failures at the end, because the output above may be long.
for (const test of failedTests) console.log(`${test}\n`)
if (failures.length > 0) console.log(`Failed: ${failures.join('; ')}`)
const skipped = describeSkipped(total.skipped, skippedTests)
if (skipped) console.log(skipped)
for (const reason of notChecked) console.log(`Not checked: ${reason}`)
console.log(inWords(total))
process.exit(failures.length === 0 ? 0 : 1)

function chooseChecks() {
  if (process.argv.includes('--scale')) {
    return [['API, two servers and outages (PostgreSQL, Ceph, Redis, nginx)', scaleTests]]
  }
  if (process.argv.includes('--clients')) return [['Programs of others (litmus, rclone, restic …)', clientTests]]
  if (process.argv.includes('--quick')) return [...readers, ['Unit tests and the fast API tests (SQLite)', quickTests]]
  return [
    ...readers,
    ['Unit and API tests (SQLite and PostgreSQL)', () => vitest([])],
    ['Faults: killed servers, disks, logs (SQLite)', faultTests],
    ['Web build', buildWeb],
    ['Browser tests', browserTests],
    ['Known vulnerabilities in the packages that ship', auditShipped],
  ]
}

async function attempt(check) {
  const started = performance.now()
  const result = await check().catch((error) => ({ ok: false, output: error.message }))
  return { result, seconds: ((performance.now() - started) / 1000).toFixed(1) }
}

/** Counts as no test: if the registry doesn't respond, nothing has been checked. */
async function auditShipped() {
  const { requested, findings } = await auditPackages()
  if (!requested) return { notChecked: "npm's registry returned no list of vulnerabilities. Run: npm audit" }
  return {
    ok: findings.length === 0,
    output: findings.join('\n'),
    counts: { passed: 0, failed: findings.length, skipped: 0 },
  }
}

async function vitest(args) {
  const report = freshReport('vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const result = await tool('vitest/vitest.mjs', ['run', ...reporters, ...args])
  return { ...result, ...readVitest(report, result) }
}

async function quickTests() {
  const projects = ['--project', 'unit', '--project', 'server-sqlite']
  return await vitest([...projects, ...slowTests.flatMap((pattern) => ['--exclude', pattern])])
}

/** Runs a few rounds; `npm run test:faults` runs more. */
async function faultTests() {
  const report = freshReport('faults.json')
  const result = await program(join(root, 'faults', 'run.ts'), ['--short', '--report', report])
  return { ...result, ...readVitest(report, result) }
}

function scaleTests() {
  return testsWithPrograms('scale', 'Scale tests', process.argv.slice(3))
}

function clientTests() {
  return testsWithPrograms('clients', 'Client tests', process.argv.slice(3))
}

/** If the machine can't install the programs that they need, prints the reason and counts nothing. */
async function testsWithPrograms(folder, name, args = []) {
  const report = freshReport(`${folder}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const result = await program(join(root, folder, 'run.ts'), [...reporters, ...args])
  const notRun = result.ok && new RegExp(`^${name}: not run because .*$`, 'm').exec(result.output)?.[0]
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
  const { path: ALCOVE_CHROMIUM, skipped: notChecked } = browserForTests()
  if (notChecked) return { notChecked }
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
    throw new Error(output || 'The tests wrote no report.')
  }
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

function tool(path, args, options) {
  return program(join(root, 'node_modules', path), args, options)
}

/** Runs a program on the repository's Node and collects its output, which is printed if it fails. */
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

/** Returns the environment without Alcove's settings, so that tests never touch the database of a real server. */
function environment() {
  const isSetting = (name) => /^(PORT|HOST|NODE_ENV|STRIPE_.*|ALCOVE_(?!TEST_).*)$/.test(name)
  const kept = Object.entries(process.env).filter(([name]) => !isSetting(name) && name !== 'FORCE_COLOR')
  const path = [dirname(nodeBinary), process.env.PATH].join(delimiter)
  return { ...Object.fromEntries(kept), PATH: path }
}
