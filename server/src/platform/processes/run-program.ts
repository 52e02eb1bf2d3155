import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** The exit code of a shell if a program or a part of it is missing. */
const NOT_FOUND = 127

/** Returns what a trusted program prints about itself, such as its version. Rejects if it fails. */
export function readOutput(program: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { env: {}, cwd: '/', signal, maxBuffer: 1024 * 1024 }, (error, output) =>
      error ? reject(error) : resolve(output),
    )
  })
}

/** Opens content as a file, since programs read films at any position. Bytes in memory become a file without a name. */
export async function openContent(content: Uint8Array | string): Promise<FileHandle> {
  if (typeof content === 'string') return open(content)
  const folder = await mkdtemp(join(tmpdir(), 'alcove-video-'))
  try {
    const file = await open(join(folder, 'video'), 'wx+', 0o600)
    await file.writeFile(content)
    return file
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Bounds {
  /** Milliseconds. */
  timeout: number
  /** The maximum size of its output. */
  maxBytes: number
}

/**
 * Runs a program in this process's group and returns its output. It gets one open file and no names. Returns an empty buffer if
 * it was killed, and undefined if it can't be started, which is not the file's fault.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { fd }: FileHandle,
  { timeout, maxBytes }: Bounds,
): Promise<Buffer | undefined> {
  const child = spawn(program, args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'ignore', fd] })
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(kill, timeout)
  // If this process ends because the server has gone, nobody else would kill it.
  process.once('exit', kill)
  const parts: Buffer[] = []
  let bytes = 0
  child.stdout?.on('data', (part: Buffer) => {
    parts.push(part)
    bytes += part.length
    if (bytes > maxBytes) kill()
  })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === NOT_FOUND) return undefined
    return code === null ? Buffer.alloc(0) : Buffer.concat(parts)
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    process.off('exit', kill)
  }
}

interface Limits {
  /** Bytes of memory. */
  maxMemory: number
  /** Seconds of processor time. */
  maxCpu: number
}

/** Below everything that somebody waits for. */
const LOW_PRIORITY = 15

/** A program that works on unchecked bytes: it has one open file, no environment, and limits. */
interface LimitedProgram {
  readonly output: Readable
  /** Resolves with whether it succeeded. */
  readonly ended: Promise<boolean>
  kill(): void
}

const running = new Set<ChildProcess>()
// If this process ends, nobody else would kill them.
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
  // The shell waits for a line before it starts the program, so that the priority is set by then.
  const bounds = `read go; ulimit -d ${memory}; ulimit -t ${limits.maxCpu}; ulimit -c 0; exec "$0" "$@" </dev/null`
  const child = spawn('/bin/sh', ['-c', bounds, program, ...args], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore', fd],
    // A process group of its own, so that its children end with it.
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
