import './memory-flags.ts'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { listenForMetrics } from './metrics-endpoint.ts'
import { startRegularWork } from './regular-work.ts'
import { closeServices, createServices } from './services.ts'

/** How long what is in flight may take to finish once the server is told to stop. */
const STOP_WITHIN = 10_000

/** A connection on which nothing moves for so long is closed: a chunk may take hours, but not stand still. */
const IDLE_CONNECTION = 5 * 60_000

/** Until the server takes work, and when it no longer does, whoever asks hears that it is unavailable. */
const unavailable: RequestListener = (_request, response) => {
  const message = 'The server is starting or stopping. Please try again in a moment.'
  response.writeHead(503, {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': '1',
    connection: 'close',
  })
  response.end(JSON.stringify({ error: message, message, code: 'unavailable' }))
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  let listener = unavailable
  const server = createServer(
    { keepAliveTimeout: 75_000, headersTimeout: 30_000, requestTimeout: 0 },
    (request, response) => listener(request, response),
  )
  server.setTimeout(IDLE_CONNECTION)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.port, config.host, resolve)
  })

  const services = await createServices(config)
  const metricsServer = await listenForMetrics(services)
  const app = await createApp(services, { webDirectory: join(import.meta.dirname, '../../web/dist') })
  await app.ready()
  listener = app.routing
  const stopRegularWork = startRegularWork(services)
  services.jobs.start()
  services.log.info(`Alcove is at ${config.publicUrl}`)

  let isStopping = false
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    listener = unavailable
    const closed = new Promise((resolve) => server.close(resolve))
    // A connection whose request ends now would be kept open for a next one.
    const closing = setInterval(() => server.closeIdleConnections(), 50)
    const deadline = setTimeout(() => server.closeAllConnections(), STOP_WITHIN)
    await closed
    clearInterval(closing)
    clearTimeout(deadline)
    metricsServer?.close()
    await stopRegularWork()
    await app.close()
    await closeServices(services)
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}

start().catch((error: unknown) => {
  console.error(describeFailure(error))
  process.exit(1)
})

/** One clear line for what the operator can mend; the whole story for what is our fault. */
function describeFailure(error: unknown): unknown {
  if (error instanceof ConfigError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE' || code === 'EACCES') return (error as Error).message
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000') {
    return `The database cannot be reached: ${(error as Error).message || String(code)}`
  }
  return error
}
