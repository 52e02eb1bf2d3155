import { createServer } from 'node:http'
import { Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { styleText } from 'node:util'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { firstAdministratorUrl } from './modules/accounts/index.ts'
import { listenForMetrics } from './modules/admin/index.ts'
import { followPlansSetting } from './modules/billing/index.ts'
import { siteKnowledge } from './modules/site/index.ts'
import { lockDataFolder, openDataFolder } from './platform/data-folder.ts'
import { makeShrinkable } from './platform/db/compact-database.ts'
import { engineOf, shrinkDatabaseCache } from './platform/db/database.ts'
import { handleExpectContinue } from './platform/http/expect-continue.ts'
import { RequestGate } from './platform/http/request-gate.ts'
import { releaseMemoryWhenIdle } from './platform/processes/idle-memory.ts'
import { returnMemoryIfTight } from './platform/processes/tight-memory.ts'
import { version } from './platform/version.ts'
import { registerJobs, startScheduledJobs } from './scheduled-jobs.ts'
import { closeServices, createServices } from './services.ts'
import { readSettings, toConfig } from './settings/settings.ts'
import { describeStartFailure } from './start-failure.ts'

/** How long requests in progress may take to finish on shutdown. */
const STOP_WITHIN = 10_000

/** How long idle connections stay open on shutdown, for requests that are on their way. */
const LINGER = 500

/** How long a connection may be without traffic. A chunk may take hours but must not stall. */
const IDLE_CONNECTION = 5 * 60_000

async function start(config: Config, warnings: readonly string[]): Promise<void> {
  const warning = await openDataFolder(config.dataDir)
  // PostgreSQL supports any number of servers, an SQLite database only one.
  const lock = config.databaseUrl === undefined ? lockDataFolder(config.dataDir) : undefined
  const gate = new RequestGate()
  const server = createServer({ keepAliveTimeout: 75_000, headersTimeout: 30_000, requestTimeout: 0 }, gate.listener)
  server.setTimeout(IDLE_CONNECTION)
  handleExpectContinue(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, resolve)
  })

  const services = await createServices(config, {}, siteKnowledge)
  for (const each of [...warnings, ...(warning ? [warning] : [])]) services.log.warn(each)
  await makeShrinkable(services)
  const metricsServer = await listenForMetrics(services)
  registerJobs(services)
  await followPlansSetting(services)
  const app = await createApp(services, { webDirectory: join(import.meta.dirname, '../../web/dist') })
  await app.ready()
  gate.open(app.routing)
  const stopScheduledJobs = startScheduledJobs(services)
  services.jobs.start()
  const stopReleasing = releaseMemoryWhenIdle(() => {
    shrinkDatabaseCache(services.db, engineOf(config)).catch((error) => services.log.warn({ err: error }, 'cache kept'))
  })
  const stopReturning = returnMemoryIfTight()
  const listening = `${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  services.log.info({ version, listening }, `Alcove is at ${config.publicUrl}`)
  const setupUrl = await firstAdministratorUrl(services)
  if (setupUrl !== undefined) services.log.info(`There is no administrator yet. To become one, open ${setupUrl}`)

  let isStopping = false
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    services.log.info('Alcove is stopping: requests in progress get 10 seconds to finish')
    gate.stop()
    services.events.close()
    // New connections are refused, so that a proxy uses another server. Open ones stay for a moment: a request may be on its
    // way, and if it must not be sent twice, closing the connection would lose it.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    await Promise.race([closed, wait(LINGER)])
    const closing = setInterval(() => server.closeIdleConnections(), 50)
    const deadline = setTimeout(() => server.closeAllConnections(), STOP_WITHIN)
    await closed
    clearInterval(closing)
    clearTimeout(deadline)
    metricsServer?.close()
    stopReleasing()
    stopReturning()
    await stopScheduledJobs()
    await app.close()
    await closeServices(services)
    lock?.release()
    services.log.info('Alcove has stopped')
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}

// Files that the server writes are private to it: database, files and secret are in the same folder.
process.umask(0o077)
let config: Config | undefined
try {
  const settings = readSettings(process.env, process.cwd())
  config = toConfig(settings)
  await start(config, settings.warnings)
} catch (error) {
  const failure = describeStartFailure(error, config)
  console.error(typeof failure === 'string' ? styleText('red', failure, { stream: process.stderr }) : failure)
  process.exit(1)
}
