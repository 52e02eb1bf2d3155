import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'

/** The real program as a process of its own, as `npm start` runs it, on a data directory that outlives it. */
export interface TestServer {
  readonly url: string
  readonly dataDir: string
  readonly process: ChildProcess
  /** Everything it has printed. */
  readonly output: () => string
  /** Ends it at once, as a power cut does, and starts it again on the same data and port. */
  crashAndRestart(): Promise<void>
  stop(): Promise<void>
}

const MAIN = join(import.meta.dirname, '../main.ts')

export async function startTestServer(environment: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alcove-server-'))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const start = () =>
    spawnServer({ PORT: String(port), ALCOVE_DATA_DIR: dataDir, ALCOVE_RATE_LIMITS: 'off', ...environment })
  let running = start()
  await waitUntilHealthy(url)
  return {
    url,
    dataDir,
    get process() {
      return running.child
    },
    output: () => running.output(),
    crashAndRestart: async () => {
      running.child.kill('SIGKILL')
      await once(running.child, 'exit')
      running = start()
      await waitUntilHealthy(url)
    },
    stop: async () => {
      if (running.child.exitCode === null && running.child.signalCode === null) {
        running.child.kill('SIGTERM')
        await once(running.child, 'exit')
      }
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts the program with just these settings; it may well refuse them. */
export function spawnServer(environment: Record<string, string>): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [MAIN], { env: { PATH: process.env.PATH, ...environment } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()))
  return { child, output: () => output }
}

async function waitUntilHealthy(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const isHealthy = await fetch(`${url}/api/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (isHealthy) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the server did not start')
}
