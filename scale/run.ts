import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { NotInstallable } from '@alcove/server/testing/engines/install-programs'
import { type Engines, startEngines, stopEngines } from './engines/engines.ts'
import { ensureEnginesInstalled } from './engines/install.ts'
import { listenForOutages } from './outages.ts'

// `npm run test:scale`: installs and starts the real engines, runs the tests on them, and removes everything. Arguments go to
// vitest. If the engines can't be installed, it says so and exits with 0.

const ROOT = join(import.meta.dirname, '..')
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const CONFIG = join(import.meta.dirname, 'vitest.config.ts')
const GRACE = 5000

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())

try {
  process.exitCode = await runScaleTests()
} catch (error) {
  if (error instanceof NotInstallable) console.log(`Scale tests: not run because ${error.message}.`)
  else {
    console.error(error)
    process.exitCode = 1
  }
}

async function runScaleTests(): Promise<number> {
  const installed = ensureEnginesInstalled((line) => console.log(line))
  const dir = mkdtempSync(join(tmpdir(), 'alcove-scale-'))
  // Engines that run as other users have to enter it.
  chmodSync(dir, 0o755)
  const removeDirectory = removeAtExit(dir)
  try {
    const started = performance.now()
    const engines = await startEngines(dir, installed)
    console.log(`PostgreSQL, Ceph and Redis started in ${((performance.now() - started) / 1000).toFixed(1)} s`)
    const control = await listenForOutages(engines)
    // Temporary files of killed tests are removed too.
    const TMPDIR = mkdtempSync(join(dir, 'tests-'))
    chmodSync(TMPDIR, 0o755)
    try {
      return await runVitest({ ...addressesOf(engines), ALCOVE_SCALE_CONTROL: control.url, TMPDIR })
    } finally {
      control.close()
      await stopEngines(engines)
    }
  } finally {
    await removeDirectory()
  }
}

/** Returns the variables by which the server's tests find existing engines. */
function addressesOf({ postgres, ceph, redis }: Engines): Record<string, string> {
  return {
    ALCOVE_TEST_DATABASE_URL: postgres.url,
    ALCOVE_TEST_S3_ENDPOINT: ceph.endpoint,
    ALCOVE_TEST_S3_BUCKET: '',
    ALCOVE_TEST_S3_REGION: 'us-east-1',
    ALCOVE_TEST_S3_ACCESS_KEY_ID: ceph.accessKeyId,
    ALCOVE_TEST_S3_SECRET_ACCESS_KEY: ceph.secretAccessKey,
    ALCOVE_TEST_REDIS_URL: redis.url,
  }
}

/** Runs vitest in its own process group, so that no process outlives it. Returns the exit code. */
async function runVitest(environment: Record<string, string>): Promise<number> {
  if (interrupted.signal.aborted) return 1
  const vitest = spawn(process.execPath, [VITEST, 'run', '--config', CONFIG, ...process.argv.slice(2)], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
    detached: true,
  })
  const group = -(vitest.pid as number)
  const stop = () => signalGroup(group, 'SIGTERM')
  interrupted.signal.addEventListener('abort', stop)
  const ended = once(vitest, 'exit')
  // SIGKILL follows if SIGTERM has no effect.
  const isLate = once(interrupted.signal, 'abort').then(() => wait(GRACE, undefined, { ref: false }))
  await Promise.race([ended, isLate])
  signalGroup(group, 'SIGKILL')
  const [code] = await ended
  return interrupted.signal.aborted ? 1 : (code ?? 1)
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(group, signal)
  } catch {
    // All of its processes have ended.
  }
}

/** Returns a function that removes the directory. It is also removed if this process ends in any other way. */
function removeAtExit(dir: string): () => Promise<void> {
  const script = 'read -r _; rm -rf "$0" || { sleep 2; rm -rf "$0"; }'
  const remover = spawn('/bin/sh', ['-c', script, dir], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  const removed = once(remover, 'exit')
  return async () => {
    remover.stdin.end()
    await removed
  }
}
