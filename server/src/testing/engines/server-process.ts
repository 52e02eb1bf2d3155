import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { MEMORY_FLAGS, MEMORY_VARIABLE } from '../../memory-flags.ts'
import { findFreePort } from './ports.ts'

/** The real program as a process, as `npm start` runs it. Its data directory and port are kept when it is restarted. */
export interface ServerProcess {
  readonly url: string
  readonly dataDir: string
  /** The running process, or the last one. */
  readonly process: ChildProcess
  /** Returns everything that this process has printed. */
  readonly output: () => string
  /** Starts it again after it has ended, and waits until it is healthy. */
  start(): Promise<void>
  /** Kills it, as a power cut does. */
  kill(): Promise<void>
  crashAndRestart(): Promise<void>
  /** Stops it gracefully, and removes its data directory unless the caller gave one. */
  stop(): Promise<void>
}

const MAIN = join(import.meta.dirname, '../../main.ts')
/** The compile cache of `npm start` (tools/prepare.mjs), which halves the time that a start takes. */
const COMPILED = join(import.meta.dirname, '../../../../.cache/compiled')
const START_WITHIN = 60_000

/** Starts the program without rate limits, on a free port, with an empty data directory unless one is given. */
export async function startServerProcess(
  environment: Record<string, string> = {},
  given: { dataDir?: string; main?: string } = {},
): Promise<ServerProcess> {
  const dataDir = given.dataDir ?? (await mkdtemp(join(tmpdir(), 'alcove-server-')))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const spawnNow = () =>
    spawnServer({ PORT: String(port), ALCOVE_DATA_DIR: dataDir, ALCOVE_RATE_LIMITS: 'off', ...environment }, given.main)
  let running = spawnNow()
  const server: ServerProcess = {
    url,
    dataDir,
    get process() {
      return running.child
    },
    output: () => running.output(),
    start: async () => {
      running = spawnNow()
      await waitUntilHealthy(url, running)
    },
    kill: () => end(running.child, 'SIGKILL'),
    crashAndRestart: async () => {
      await server.kill()
      await server.start()
    },
    stop: async () => {
      await end(running.child, 'SIGTERM')
      if (given.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
  try {
    await waitUntilHealthy(url, running)
  } catch (error) {
    await end(running.child, 'SIGKILL')
    throw error
  }
  return server
}

interface Spawned {
  child: ChildProcess
  output: () => string
}

/** Starts the program in a folder with these settings only, and doesn't wait until it is healthy: it may reject them. */
export function spawnServer(environment: Record<string, string>, main = MAIN, folder = tmpdir()): Spawned {
  const child = spawn(process.execPath, [...MEMORY_FLAGS, main], {
    // Not the repository, which may have an alcove.env.
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: COMPILED,
      [MEMORY_VARIABLE[0]]: MEMORY_VARIABLE[1],
      ...environment,
    },
  })
  // Ends the server with the tests, however they end.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()))
  return { child, output: () => output }
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function waitUntilHealthy(url: string, { child, output }: Spawned): Promise<void> {
  const deadline = Date.now() + START_WITHIN
  while (Date.now() < deadline && !hasEnded(child)) {
    const isHealthy = await fetch(`${url}/api/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (isHealthy) return
    await wait(50)
  }
  throw new Error(`The server did not start.\n${output()}`)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
