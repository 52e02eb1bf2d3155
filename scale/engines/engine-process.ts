import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const START_WITHIN = 60_000
const POLL_INTERVAL = 25
const LOG_LINES_SHOWN = 20

interface EngineCommand {
  name: string
  command: string
  args: readonly string[]
  account: Account | undefined
  /** Its working directory, which also contains its log. */
  dir: string
  /** The signal it gets if this process dies without stopping it. */
  deathSignal?: 'KILL' | 'TERM' | 'QUIT'
}

/** A program that runs beside the tests, not as root and never longer than this process. It can be restarted. */
export class EngineProcess {
  readonly #engine: EngineCommand
  #child: ChildProcess | undefined

  constructor(engine: EngineCommand) {
    this.#engine = engine
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error(`${this.#engine.name} does not run`)
    return this.#child.pid
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Starts it and waits until it is ready. */
  async start(isReady: () => Promise<boolean>): Promise<void> {
    const { name, command, args, account, dir, deathSignal = 'KILL' } = this.#engine
    const log = openSync(this.#logFile, 'a')
    this.#child = spawn('setpriv', [...asAccount(account), '--pdeathsig', deathSignal, command, ...args], {
      cwd: dir,
      env: environment(),
      stdio: ['ignore', log, log],
      // Keeps Ctrl+C away from it: the engines are stopped after the tests.
      detached: true,
    })
    closeSync(log)
    await once(this.#child, 'spawn')
    const deadline = Date.now() + START_WITHIN
    while (!(await isReady())) {
      if (!this.isRunning || Date.now() > deadline) throw new Error(`${name} did not start.\n${this.#logEnd()}`)
      await wait(POLL_INTERVAL)
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Ends it with a signal, followed by SIGKILL if it takes too long. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.#child || !this.isRunning) return
    const ended = once(this.#child, 'exit')
    this.#child.kill(signal)
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(timer)
  }

  get #logFile(): string {
    return join(this.#engine.dir, `${this.#engine.name}.log`)
  }

  #logEnd(): string {
    return readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n')
  }
}

/** Runs a program as an account, and returns its output. */
export async function runAs(
  account: Account | undefined,
  dir: string,
  command: string,
  args: readonly string[],
): Promise<string> {
  const options = { cwd: dir, env: environment(), timeout: START_WITHIN }
  const { stdout } = await run('setpriv', [...asAccount(account), command, ...args], options)
  return stdout
}

function asAccount(account: Account | undefined): string[] {
  return account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : []
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' }
}

/** A user of the system. */
interface Account {
  uid: number
  gid: number
}

/** Returns the first of these users that exists, for an engine to run as. Undefined if we aren't root. */
export function chooseAccount(...names: string[]): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const known = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of [...names, 'nobody']) {
    const found = known.find(([user]) => user === name)
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) }
  }
  throw new Error(`There is none of the users ${names.join(', ')} and nobody.`)
}

/** Creates a directory that only the engine may enter. */
export function makeOwnDirectory(path: string, account: Account | undefined): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account) chownSync(path, account.uid, account.gid)
  return path
}
