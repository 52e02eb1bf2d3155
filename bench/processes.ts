import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** How long a server may take to stop. Alcove gives requests in progress up to 10 s. */
const STOP_WITHIN = 12_000
const START_WITHIN = 30_000
const POLL_INTERVAL = 5
const LOG_LINES_SHOWN = 20

/** All processes that we started. */
const running = new Set<ChildProcess>()
let isClosed = false

export interface Started {
  pid: number
  /** Milliseconds from the spawn until it accepted requests. */
  startedIn: number
  stop(): Promise<void>
}

interface ServerCommand {
  command: string
  args: string[]
  /** Receives the server's output. */
  logFile: string
  /** Responds with 200 once the server accepts requests. */
  readyUrl: string
  options?: SpawnOptions
}

/** Starts a server and waits until it accepts requests. */
export async function startServer({ command, args, logFile, readyUrl, options }: ServerCommand): Promise<Started> {
  const log = openSync(logFile, 'a')
  const spawnedAt = performance.now()
  const child = start(command, args, { ...options, stdio: ['ignore', log, log] })
  closeSync(log)
  await once(child, 'spawn')
  const deadline = Date.now() + START_WITHIN
  while (!(await isReady(readyUrl))) {
    if (hasEnded(child) || Date.now() > deadline) {
      throw new Error(`${command} ${args.join(' ')} did not start:\n${readLogEnd(logFile)}`)
    }
    await wait(POLL_INTERVAL)
  }
  const startedIn = performance.now() - spawnedAt
  return { pid: child.pid as number, startedIn, stop: () => stop(child) }
}

/** Returns the last lines of a server's output. */
export function readLogEnd(logFile: string): string {
  return existsSync(logFile)
    ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n')
    : ''
}

/** Runs a command and returns its output. Throws if the command fails. */
export async function runToEnd(command: string, args: string[], input = ''): Promise<string> {
  // Only PATH is passed on, so that no proxy or other setting changes the result.
  const child = start(command, args, { env: { PATH: process.env.PATH ?? '' }, stdio: ['pipe', 'pipe', 'pipe'] })
  const printed = collect(child.stdout)
  const errors = collect(child.stderr)
  child.stdin?.on('error', () => {}).end(input)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== 0) throw new Error(`${command} ended with ${code ?? signal}: ${(await errors) || (await printed)}`)
  return printed
}

const SAMPLE_INTERVAL = 50

/** What a command took: seconds, and the most memory at once (PSS) in bytes, `anonymous` without the pages of files. */
export interface Ran {
  seconds: number
  peak: { pss: number; anonymous: number }
}

/** Runs a command and measures it. Throws if the command fails. */
export async function runMeasured(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  const peak = { pss: 0, anonymous: 0 }
  const startedAt = performance.now()
  const child = start(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = Promise.all([collect(child.stdout), collect(child.stderr)])
  const timer = setInterval(() => {
    // It may have ended.
    const rollup = attempt(() => readFileSync(`/proc/${child.pid}/smaps_rollup`, 'utf8')) ?? ''
    peak.pss = Math.max(peak.pss, readKilobytes(rollup, 'Pss') || 0)
    peak.anonymous = Math.max(peak.anonymous, readKilobytes(rollup, 'Pss_Anon') || 0)
  }, SAMPLE_INTERVAL)
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  const seconds = (performance.now() - startedAt) / 1000
  clearInterval(timer)
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${code ?? signal}: ${(await output).join('')}`)
  return { seconds, peak }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Stops all processes that still run. */
export async function stopProcesses(): Promise<void> {
  await Promise.all([...running].map(stop))
}

/** Stops all processes and prevents new ones. */
export async function closeProcesses(): Promise<void> {
  isClosed = true
  await stopProcesses()
}

/** Returns a free port. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

// A last resort, in case this process ends without stopping its servers.
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})

function start(command: string, args: string[], options: SpawnOptions): ChildProcess {
  if (isClosed) throw new Error('The bench is stopping.')
  const child = spawn(command, args, options)
  running.add(child)
  const forget = () => running.delete(child)
  child.once('exit', forget).once('error', forget)
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN)
  await ended
  clearTimeout(timer)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('error', () => resolve(false))
  })
}

async function collect(stream: ChildProcess['stdout']): Promise<string> {
  let text = ''
  stream?.setEncoding('utf8')
  for await (const piece of stream ?? []) text += piece
  return text
}

/** The unit of processor time in /proc. */
const TICKS_PER_SECOND = 100

/** Returns the processor seconds that processes have used so far, in all threads. */
export function readCpuSeconds(pids: number[]): number {
  const ticks = pids.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Field 2 is the name in parentheses, which may contain spaces. Fields 14 and 15 are user and system time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, own) => sum + own, 0) / TICKS_PER_SECOND
}

/** Returns a process and its children, such as nginx's master and workers. */
export function readFamily(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.split(' ').filter(Boolean).map(Number)]
}

/** Returns a process and all its descendants, such as those of a browser. */
export function readDescendants(pid: number): number[] {
  return [pid, ...readFamily(pid).slice(1).flatMap(readDescendants)]
}

/** Returns the memory of a process in bytes: RSS, and PSS, which counts only a share of shared pages. */
export function readMemory(pid: number): { rss: number; pss: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return { rss: readKilobytes(rollup, 'Rss'), pss: readKilobytes(rollup, 'Pss') }
}

/** Returns only the RSS, which is cheap to read. */
export function readRss(pid: number): number {
  return readKilobytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS')
}

/** Returns the seconds that `work` returns, and the processor seconds of the processes meanwhile. */
export async function withCpu(pids: number[], work: () => Promise<number>): Promise<{ seconds: number; cpu: number }> {
  const before = readCpuSeconds(pids)
  const seconds = await work()
  return { seconds, cpu: readCpuSeconds(pids) - before }
}

function readKilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024
}
