import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Metrics, Statistics } from '../../platform/metrics/metrics.ts'
import { countDamaged, readScrub } from '../storage/index.ts'

/** Serves `/metrics` to clients with the token. Without a configured token there is no such address. */
export function metricsRoute(app: FastifyInstance, { config, metrics, db }: Services): void {
  const { metricsToken } = config
  if (!metrics || metricsToken === undefined) return
  const expected = digest(`Bearer ${metricsToken}`)
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    // Compares digests, which have equal length, in constant time.
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      throw new AppError('unauthenticated', 'A valid metrics token is required.')
    }
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await describe(metrics, db))
  })
}

/** Serves metrics on a separate port for this machine only. */
export async function listenForMetrics({ config, metrics, db, log }: Services): Promise<Server | undefined> {
  if (!metrics || config.metricsPort === undefined) return undefined
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    describe(metrics, db).then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be collected')
        response.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.metricsPort, '127.0.0.1', resolve)
  })
  return server
}

async function describe(metrics: Metrics, db: Services['db']): Promise<string> {
  return metrics.describe(await readStatistics(db).catch(() => undefined))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Returns statistics of the whole instance. Sums over users, never over their items. */
export async function readStatistics(db: Database): Promise<Statistics> {
  const users = await db
    .selectFrom('users')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number | string | null>('used_bytes').as('stored'),
      eb.fn.sum<number | string | null>('allocated_bytes').as('allocated'),
    ])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const uploads = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('completed_at', 'is', null)
    .executeTakeFirstOrThrow()
  const jobs = await db
    .selectFrom('jobs')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.countAll<number>().filterWhere('attempts', '>', 0).filterWhere('failed_at', 'is', null).as('retried'),
      eb.fn.countAll<number>().filterWhere('failed_at', 'is not', null).as('failed'),
    ])
    .executeTakeFirstOrThrow()
  const { round_ended_at } = await readScrub(db)
  return {
    users: users.count,
    storedBytes: Number(users.stored ?? 0),
    allocatedBytes: Number(users.allocated ?? 0),
    openUploads: uploads.count,
    waitingJobs: jobs.count - jobs.retried - jobs.failed,
    retriedJobs: jobs.retried,
    failedJobs: jobs.failed,
    damagedBlobs: await countDamaged(db),
    lastScrub: (round_ended_at ?? 0) / 1000,
  }
}
