import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A server gets this long to stop by itself; Alcove takes up to 10 s for what is in flight. */
const STOP_WITHIN = 12_000
const START_WITHIN = 30_000
const LOOK_EVERY = 5
const LOG_LINES_SHOWN = 20

/** Everything that runs on our behalf. */
const running = new Set<ChildProcess>()
let isClosed = false

export interface Started {
  pid: number
  /** Milliseconds from spawning it until it took work. */
  startedIn: number
  stop(): Promise<void>
}

export interface ServerCommand {
  command: string
  args: string[]
  /** Takes what the server prints. */
  logFile: string
  /** Resolves once the server accepts work. */
  readyUrl: string
  options?: SpawnOptions
}

/** Starts a server and waits until it answers. */
export async function startServer({ command, args, logFile, readyUrl, options }: ServerCommand): Promise<Started> {
  const log = openSync(logFile, 'a')
  const spawnedAt = performance.now()
  const child = start(command, args, { ...options, stdio: ['ignore', log, log] })
  closeSync(log)
  await once(child, 'spawn')
  const deadline = Date.now() + START_WITHIN
  while (!(await isAnswering(readyUrl))) {
    if (hasEnded(child) || Date.now() > deadline) {
      throw new Error(`${command} ${args.join(' ')} did not start:\n${readLogEnd(logFile)}`)
    }
    await wait(LOOK_EVERY)
  }
  const startedIn = performance.now() - spawnedAt
  return { pid: child.pid as number, startedIn, stop: () => stop(child) }
}

/** The last lines of what a server has printed. */
export function readLogEnd(logFile: string): string {
  return existsSync(logFile)
    ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n')
    : ''
}

/** Runs a command to its end and answers what it printed; fails when the command does. */
export async function runToEnd(command: string, args: string[], input = ''): Promise<string> {
  // Of the environment only the path: no proxy and no settings of the user's change what is measured.
  const child = start(command, args, { env: { PATH: process.env.PATH ?? '' }, stdio: ['pipe', 'pipe', 'pipe'] })
  const printed = collect(child.stdout)
  const complaints = collect(child.stderr)
  child.stdin?.on('error', () => {}).end(input)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== 0) throw new Error(`${command} ended with ${code ?? signal}: ${(await complaints) || (await printed)}`)
  return printed
}

/** Stops whatever was started and still runs. */
export async function stopProcesses(): Promise<void> {
  await Promise.all([...running].map(stop))
}

/** Stops everything, and lets nothing start any more. */
export async function closeProcesses(): Promise<void> {
  isClosed = true
  await stopProcesses()
}

/** A port that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

// The last resort, should this process end without having waited for its servers.
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

function isAnswering(url: string): Promise<boolean> {
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
