import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type Config, ConfigError, isLoopback } from './config.ts'
import type { Services, SiteKnowledge } from './context.ts'
import type { BlobStore } from './platform/blobs/blob-store.ts'
import { DiskBlobStore } from './platform/blobs/disk-blob-store.ts'
import { KEPT_FREE } from './platform/blobs/free-disk-space.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { ConcurrencyLimiter } from './platform/concurrency.ts'
import { Digester } from './platform/crypto/digester.ts'
import { deriveSecrets, readOrCreateSecret, type Secrets } from './platform/crypto/secrets.ts'
import { SessionTokenReader } from './platform/crypto/session-token.ts'
import { StreamHasher } from './platform/crypto/stream-hasher.ts'
import { openDataFolder } from './platform/data-folder.ts'
import { type Database, engineOf, migrate, openDatabase } from './platform/db/database.ts'
import { EventHub } from './platform/events/event-hub.ts'
import { RateLimits } from './platform/http/rate-limits.ts'
import { ThumbnailMaker } from './platform/images/thumbnail-maker.ts'
import { JobQueue } from './platform/jobs/job-queue.ts'
import { ScheduleRecord } from './platform/jobs/schedule-record.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import { OutboxMailer } from './platform/mail/outbox.ts'
import { MediaReader } from './platform/media/media-reader.ts'
import { SegmentMaker } from './platform/media/segment-maker.ts'
import { OidcClient } from './platform/oidc/oidc-client.ts'
import { openLog } from './platform/open-log.ts'
import { LivePayments, noPayments } from './platform/payments/live-payments.ts'
import type { Payments } from './platform/payments/payments.ts'
import { isSandboxInstalled, SandboxPayments } from './platform/payments/sandbox-payments.ts'
import { findProgram } from './platform/processes/operating-system.ts'

/** Replacements for tests. */
export type ServiceOverrides = Partial<Pick<Services, 'clock' | 'mailer' | 'blobs' | 'payments'>> & {
  log?: Logger
  /** Leaves the tables at their version instead of migrating them. */
  leavesTables?: boolean
}

/**
 * The number of ZIP downloads that each caller may have in progress. A ZIP of a hundred thousand files takes about ten
 * megabytes of memory until it has been sent.
 */
const MAX_CONCURRENT_ZIPS = 10

/** Creates all services. Only this file decides which adapter is used. Without `site`, the settings of the server count. */
export async function createServices(
  config: Config,
  overrides: ServiceOverrides = {},
  site?: SiteKnowledge,
): Promise<Services> {
  const isMeasured = config.metricsPort !== undefined || config.metricsToken !== undefined
  // The library is loaded only if metrics are on.
  const metrics = isMeasured ? new (await import('./platform/metrics/metrics.ts')).Metrics() : undefined
  const log = overrides.log ?? (await openLog(config.log, metrics))
  await openDataFolder(config.dataDir)
  const secrets = deriveSecrets(config.secret ?? (await readOrCreateSecret(config.dataDir)))
  const db = openDatabase(config)
  if (!overrides.leavesTables) {
    const onMigration = (migration: string) => log.info({ migration }, 'updating the tables, which may take minutes')
    await migrate(db, engineOf(config), { onMigration })
  }
  const clock = overrides.clock ?? systemClock
  const ffmpeg = findFfmpeg(config, log)
  return {
    config,
    db,
    clock,
    secrets,
    sessionTokens: new SessionTokenReader(secrets.sessionKey),
    log,
    readSupportEmail: async () => (site ? site.readSupportEmail({ config, db }) : config.supportEmail),
    blobs: overrides.blobs ?? (await chooseBlobStore(config, db, log)),
    thumbnails: new ThumbnailMaker(ffmpeg),
    digester: new Digester(),
    streamHasher: new StreamHasher(),
    mediaReader: new MediaReader(findProgram('ffprobe', config.programPath)),
    segments: new SegmentMaker(join(config.dataDir, 'segments'), ffmpeg),
    mailer: overrides.mailer ?? (await chooseMailer(config, clock, log)),
    payments: overrides.payments ?? choosePayments(config, secrets, clock, log),
    oidc: new OidcClient(),
    jobs: new JobQueue(db, clock, log),
    schedule: new ScheduleRecord(db, clock, `${hostname()}:${config.port}`),
    events: new EventHub(config.rateLimits),
    metrics,
    rateLimits: new RateLimits(config.rateLimits, await findRedis(config, log)),
    zipLimiter: new ConcurrencyLimiter(
      MAX_CONCURRENT_ZIPS,
      `You can download up to ${MAX_CONCURRENT_ZIPS} ZIP files at a time. Try again when one of them has finished.`,
    ),
  }
}

/** Closes the services in reverse order. */
export async function closeServices(services: Services): Promise<void> {
  await services.jobs.stop()
  services.digester.rest()
  await services.streamHasher.close()
  await services.mediaReader.close()
  services.segments.close()
  await services.thumbnails.close()
  await services.mailer.close()
  await services.payments.close()
  await services.blobs.close()
  services.rateLimits.close()
  await services.db.destroy()
}

async function chooseBlobStore(config: Config, db: Database, log: Logger): Promise<BlobStore> {
  if (!config.s3) return new DiskBlobStore(config.dataDir, KEPT_FREE)
  // Loading the S3 client takes time and memory, and most instances don't need it.
  const { S3BlobStore } = await import('./platform/blobs/s3-blob-store.ts')
  const store = new S3BlobStore(config.s3, { db, dataDir: config.dataDir })
  const state = await store.probe()
  if (state === 'missing') throw new ConfigError("ALCOVE_S3_BUCKET names a bucket that doesn't exist in the store.")
  if (state === 'refused')
    throw new ConfigError('The S3 store rejects ALCOVE_S3_ACCESS_KEY_ID or ALCOVE_S3_SECRET_ACCESS_KEY.')
  // The store may be available again before anyone needs it.
  if (state === 'away') log.error({ endpoint: config.s3.endpoint }, 'the S3 store is not responding')
  return store
}

async function chooseMailer(config: Config, clock: Clock, log: Logger): Promise<Mailer> {
  if (!config.smtpUrl) {
    if (isLoopback(config.publicUrl)) log.info(`mails are in the outbox: ${config.publicUrl}/outbox`)
    else log.info('ALCOVE_SMTP_URL is not set: mails are only written to the outbox in the data folder')
    return new OutboxMailer(join(config.dataDir, 'outbox'), config.supportEmail, clock, log)
  }
  const { SmtpMailer } = await import('./platform/mail/smtp-mailer.ts')
  return new SmtpMailer(config)
}

async function findRedis({ redisUrl }: Config, log: Logger): Promise<Redis | undefined> {
  if (redisUrl === undefined) return undefined
  const { openRedis } = await import('./platform/http/redis-connection.ts')
  return openRedis(redisUrl, log)
}

/** The sandbox sells plans for test cards, so it is used only where the public address is this machine. */
function choosePayments(config: Config, secrets: Secrets, clock: Clock, log: Logger): Payments {
  if (config.stripe) return new LivePayments(config.stripe, log)
  if (!isLoopback(config.publicUrl) || !isSandboxInstalled()) return noPayments
  const databasePath = join(config.dataDir, 'stripe-sandbox.sqlite')
  return new SandboxPayments({
    databasePath,
    publicUrl: config.publicUrl,
    clock,
    webhookSecret: secrets.sandboxWebhookSecret,
    log,
  })
}

/**
 * Finds ffmpeg, which takes frames from videos and makes them playable. It is optional: without it, videos show an icon of
 * their type.
 */
function findFfmpeg({ programPath }: Config, log: Logger): string | undefined {
  const ffmpeg = findProgram('ffmpeg', programPath)
  if (ffmpeg) log.info({ ffmpeg }, 'found ffmpeg: videos have thumbnails, and videos of any format can be played')
  else
    log.info('found no ffmpeg on PATH: videos have no thumbnails, and only formats that browsers support can be played')
  return ffmpeg
}
