import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import type { Services } from '../context.ts'
import type { Clock } from '../platform/clock.ts'
import { closeServices, createServices } from '../services.ts'
import { TestClient } from './client.ts'
import { createFactories, type Factories } from './factories.ts'

/** A server that can be stopped without what it has stored going too. */
export interface Place extends Factories {
  readonly services: Services
  readonly app: FastifyInstance
  as(token: string): TestClient
  stop(): Promise<void>
}

export async function openTestServer(config: Config, clock: Clock): Promise<Place> {
  const services = await createServices(config, { clock, log: pino({ level: 'silent' }) })
  const app = await createApp(services)
  let isStopped = false
  return {
    services,
    app,
    ...createFactories(app, services),
    as: (token) => new TestClient(app, token),
    stop: async () => {
      if (isStopped) return
      isStopped = true
      await app.close()
      await closeServices(services)
    },
  }
}

/** A new data directory, and the settings of a server on it alone. */
export async function makeDataDir(): Promise<{ config: Config; remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alcove-place-'))
  return {
    config: readConfig({ ALCOVE_DATA_DIR: dataDir, ALCOVE_RATE_LIMITS: 'off' }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}
