// `npm run test:faults`: kills the server a hundred times, and makes its disk, its logs and its clock fail. See README.md.
import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const USAGE = `npm run test:faults -- [FILE …] [--rounds N] [--seed N]

--rounds N   how often the server is killed (100)
--seed N     the seed of all random decisions; printed at the start, so that you can repeat a failure
--short      a few rounds with fixed seeds, as in npm test`

const DEFAULT_ROUNDS = '100'
const root = join(import.meta.dirname, '..')

function readOptions(): { files: string[]; environment: Record<string, string>; reporters: string[] } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: DEFAULT_ROUNDS },
      seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
      short: { type: 'boolean', default: false },
      /** Writes a JSON report for `tools/test.mjs`. */
      report: { type: 'string' },
    },
  })
  for (const [name, value] of Object.entries({ rounds: values.rounds, seed: values.seed })) {
    if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`--${name} must be a whole number from 1.`)
  }
  return {
    files: positionals,
    environment: values.short ? {} : { ALCOVE_FAULTS_ROUNDS: values.rounds, ALCOVE_FAULTS_SEED: values.seed },
    reporters: values.report ? ['--reporter=default', '--reporter=json', `--outputFile.json=${values.report}`] : [],
  }
}

/** Returns the command that starts a process in its own mount namespace; undefined if that isn't possible here. */
function ownNamespace(): string[] | undefined {
  const commands = [
    ['unshare', '--mount'],
    ['unshare', '--user', '--map-root-user', '--mount'],
  ]
  return commands.find(([command, ...options]) => {
    const { status } = spawnSync(command as string, [...options, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'])
    return status === 0
  })
}

function run(): void {
  const { files, environment, reporters } = readOptions()
  if (environment.ALCOVE_FAULTS_SEED) {
    console.log(`${environment.ALCOVE_FAULTS_ROUNDS} rounds, seed ${environment.ALCOVE_FAULTS_SEED}`)
  }
  const namespace = ownNamespace()
  const vitest = [
    process.execPath,
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config',
    join(import.meta.dirname, 'vitest.config.ts'),
    // The other loaders write a compiled copy of the file.
    '--configLoader=native',
    ...reporters,
    ...files,
  ]
  const [command, ...args] = [...(namespace ?? []), ...vitest] as [string, ...string[]]
  const inNamespace: Record<string, string> = namespace ? { ALCOVE_FAULTS_NAMESPACE: 'own' } : {}
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...environment, ...inNamespace } })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}

try {
  run()
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`)
  process.exitCode = 2
}
