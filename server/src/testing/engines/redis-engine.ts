import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { findProgram } from '../../platform/processes/operating-system.ts'
import { findFreePort, isPortOpen } from './ports.ts'

export interface RedisEngine {
  url: string
  /** Makes it accept connections but not respond, until it is resumed. */
  freeze(): void
  resume(): void
  stop(): Promise<void>
}

export const redisServer = findProgram('redis-server', process.env.PATH ?? '')

/** Starts an empty Redis on a free port or the given one. It stores nothing on the disk. */
export async function startRedis(port?: number): Promise<RedisEngine> {
  if (!redisServer) throw new Error('redis-server is not installed')
  const chosen = port ?? (await findFreePort())
  const settings = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn(redisServer, settings, { stdio: 'ignore' })
  const ended = once(server, 'exit')
  process.once('exit', () => server.kill('SIGKILL'))
  while (!(await isPortOpen(chosen))) {
    if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}`)
    await wait(10)
  }
  return {
    url: `redis://127.0.0.1:${chosen}`,
    freeze: () => server.kill('SIGSTOP'),
    resume: () => server.kill('SIGCONT'),
    stop: async () => {
      server.kill('SIGKILL')
      await ended
    },
  }
}
