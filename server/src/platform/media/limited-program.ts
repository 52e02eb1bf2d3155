import { type ChildProcess, spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'

interface Limits {
  /** Bytes that it may take for itself. */
  maxMemory: number
  /** Seconds of processor time. */
  maxCpu: number
}

/** Behind everything that somebody waits for. */
const LOW_PRIORITY = 15

/** A program that works on bytes that nobody has checked: it has one open file, no settings, and bounds. */
export interface LimitedProgram {
  readonly output: Readable
  /** Whether it ended well. */
  readonly ended: Promise<boolean>
  kill(): void
}

const running = new Set<ChildProcess>()
// Nobody is left to kill them where this process ends.
process.once('exit', () => {
  for (const child of running) killGroup(child)
})

export function startLimited(
  program: string,
  args: readonly string[],
  { fd }: FileHandle,
  limits: Limits,
): LimitedProgram {
  const memory = Math.round(limits.maxMemory / 1024)
  // It begins once it has been told to, by a line: then it has its priority.
  const bounds = `read go; ulimit -d ${memory}; ulimit -t ${limits.maxCpu}; ulimit -c 0; exec "$0" "$@" </dev/null`
  const child = spawn('/bin/sh', ['-c', bounds, program, ...args], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore', fd],
    // A group of its own, so that what it has started ends with it.
    detached: true,
  })
  running.add(child)
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  }).finally(() => running.delete(child))
  lower(child)
  child.stdin?.on('error', () => {})
  child.stdin?.end('go\n')
  return { output: child.stdout as Readable, ended, kill: () => killGroup(child) }
}

function lower({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY)
  } catch {
    // It has ended already.
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}
