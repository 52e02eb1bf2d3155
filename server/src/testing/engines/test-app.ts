import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { type AppOptions, createApp } from '../../app.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Services } from '../../context.ts'
import { readMedia } from '../../modules/media/read-media.ts'
import { siteKnowledge } from '../../modules/site/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { registerJobs } from '../../scheduled-jobs.ts'
import { closeServices, createServices, type ServiceOverrides } from '../../services.ts'
import { TestClient } from '../clients/client.ts'
import { createFactories, type Factories } from '../factories/users.ts'
import { findItemScans, recordStatements } from './item-scans.ts'
import { isOnS3, startS3 } from './s3-engine.ts'
import { copyMigratedDatabase, copyMigratedSqlite } from './test-databases.ts'

/** A clock that only moves when a test moves it. */
export class TestClock {
  #now = Date.UTC(2026, 0, 15, 12)
  now(): number {
    return this.#now
  }
  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}

export interface TestApp extends Factories {
  app: FastifyInstance
  services: Services
  clock: TestClock
  dataDir: string
  /** A visitor without a session. */
  visitor: TestClient
  /** Returns the mails in the outbox as text, oldest first. */
  readMails(): Promise<string[]>
  close(): Promise<void>
}

/** Creates the real app with its own database and disk. Mails go to the outbox, and the clock only moves when a test moves it. */
export async function createTestApp(
  settings: Partial<Config> = {},
  options: AppOptions = {},
  overrides: Pick<ServiceOverrides, 'payments'> = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alcove-test-'))
  const database = process.env.ALCOVE_TEST_DATABASE === 'postgres' ? await copyMigratedDatabase() : undefined
  const s3 = isOnS3 ? await startS3() : undefined
  const config: Config = {
    ...readConfig({ ALCOVE_DATA_DIR: dataDir, ALCOVE_RATE_LIMITS: 'off' }),
    databaseUrl: database?.url,
    s3: s3?.settings,
    redisUrl: ownRedisUrl(),
    ...settings,
  }
  if (config.databaseUrl === undefined && config.dataDir === dataDir) await copyMigratedSqlite(config.dataDir)
  const clock = new TestClock()
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' })
  const services = await createServices(config, { clock, log, ...overrides }, siteKnowledge)
  registerJobs(services)
  const app = await createApp(services, options)
  await app.ready()
  recordStatements(app)
  return {
    app,
    services,
    clock,
    dataDir,
    visitor: new TestClient(app),
    ...createFactories(app, services),
    readMails: async () => {
      const names = (await readdir(join(dataDir, 'outbox')).catch(() => [])).filter((name) => name.endsWith('.eml'))
      return Promise.all(names.sort().map((name) => readFile(join(dataDir, 'outbox', name), 'utf8')))
    },
    close: async () => {
      await app.close()
      const scans = await findItemScans(services)
      await closeServices(services)
      await s3?.stop()
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
      // With millions of files of other users, such a call would be too slow.
      if (scans.length > 0) throw new Error(`A call scans the items or versions of all users:\n${scans.join('\n')}`)
    },
  }
}

/** Returns the URL of ALCOVE_TEST_REDIS_URL, if set, with a key prefix of its own, so that each app counts alone. */
export function ownRedisUrl(): string | undefined {
  const { ALCOVE_TEST_REDIS_URL } = process.env
  return ALCOVE_TEST_REDIS_URL && `${ALCOVE_TEST_REDIS_URL}?keyPrefix=${randomUUID()}:`
}

/** A server whose data is kept when it is stopped. */
export interface TestServer extends Factories {
  readonly services: Services
  readonly app: FastifyInstance
  as(token: string): TestClient
  stop(): Promise<void>
}

export async function openTestServer(config: Config, clock: Clock): Promise<TestServer> {
  const services = await createServices(config, { clock, log: pino({ level: 'silent' }) })
  registerJobs(services)
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

/** Creates a data directory, and returns the settings of a server with it. */
export async function makeDataDir(): Promise<{ config: Config; remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alcove-data-'))
  return {
    config: readConfig({ ALCOVE_DATA_DIR: dataDir, ALCOVE_RATE_LIMITS: 'off' }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

/** Reads the metadata of all new music and videos, as the server does in the background. */
export async function readAllMedia({ services }: Pick<TestApp, 'services'>): Promise<void> {
  await readMedia(services, new AbortController().signal)
}
