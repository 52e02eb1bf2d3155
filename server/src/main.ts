import './memory-flags.ts'
import { createServer } from 'node:http'
import { Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { listenForMetrics } from './modules/admin/index.ts'
import { lockDataFolder, openDataFolder } from './platform/data-folder.ts'
import { RequestGate } from './platform/http/request-gate.ts'
import { startScheduledJobs } from './scheduled-jobs.ts'
import { closeServices, createServices } from './services.ts'
import { describeStartFailure } from './start-failure.ts'

/** How long what is in flight may take to finish once the server is told to stop. */
const STOP_WITHIN = 10_000

/** How long a connection that nobody uses stays open for what may be on its way. */
const LINGER = 500

/** A connection on which nothing moves for so long is closed: a chunk may take hours, but not stand still. */
const IDLE_CONNECTION = 5 * 60_000

async function start(config: Config): Promise<void> {
  const warning = await openDataFolder(config.dataDir)
  // On PostgreSQL any number of servers may run; an SQLite database belongs to one.
  const lock = config.databaseUrl === undefined ? lockDataFolder(config.dataDir) : undefined
  const intake = new RequestGate()
  const server = createServer({ keepAliveTimeout: 75_000, headersTimeout: 30_000, requestTimeout: 0 }, intake.listener)
  server.setTimeout(IDLE_CONNECTION)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, resolve)
  })

  const services = await createServices(config)
  if (warning) services.log.warn(warning)
  const metricsServer = await listenForMetrics(services)
  const app = await createApp(services, { webDirectory: join(import.meta.dirname, '../../web/dist') })
  await app.ready()
  intake.open(app.routing)
  const stopRegularWork = startScheduledJobs(services)
  services.jobs.start()
  services.log.info(`Alcove is at ${config.publicUrl}`)

  let isStopping = false
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    intake.stop()
    // New connections are refused, which tells a proxy to ask another server. Those that are open stay for a moment: a
    // request may be on its way on one, and what is closed under a request that must not be sent twice is lost.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    await Promise.race([closed, wait(LINGER)])
    const closing = setInterval(() => server.closeIdleConnections(), 50)
    const deadline = setTimeout(() => server.closeAllConnections(), STOP_WITHIN)
    await closed
    clearInterval(closing)
    clearTimeout(deadline)
    metricsServer?.close()
    await stopRegularWork()
    await app.close()
    await closeServices(services)
    lock?.release()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}

// Whatever the server writes is its own: the database, the files and the secret are beside each other.
process.umask(0o077)
let config: Config | undefined
try {
  config = readConfig(process.env)
  await start(config)
} catch (error) {
  console.error(describeStartFailure(error, config))
  process.exit(1)
}
