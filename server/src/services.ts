import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type Config, isLoopback } from './config.ts'
import type { Services } from './context.ts'
import { DiskBlobStore } from './platform/blobs/disk-blob-store.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { migrate, openDatabase } from './platform/db/database.ts'
import { Digester } from './platform/digests/digester.ts'
import { RateLimits } from './platform/http/rate-limits.ts'
import { ThumbnailMaker } from './platform/images/thumbnail-maker.ts'
import { JobQueue } from './platform/jobs/job-queue.ts'
import { OutboxMailer } from './platform/mail/outbox-mailer.ts'
import { SmtpMailer } from './platform/mail/smtp-mailer.ts'
import { MediaReader } from './platform/media/media-reader.ts'
import { LivePayments } from './platform/payments/live-payments.ts'
import { noPayments } from './platform/payments/no-payments.ts'
import type { Payments } from './platform/payments/payments.ts'
import { SandboxPayments } from './platform/payments/sandbox-payments.ts'
import { findProgram } from './platform/processes/find-program.ts'
import { deriveSecrets, readOrCreateSecret, type Secrets } from './platform/secrets/secrets.ts'
import { SessionTokenReader } from './platform/secrets/session-token.ts'

/** What tests set in place of the real thing. */
export type ServiceOverrides = Partial<Pick<Services, 'clock' | 'mailer' | 'blobs' | 'payments'>> & { log?: Logger }

/** Opens every door to the outside; the only place that decides which adapter stands behind one. */
export async function createServices(config: Config, overrides: ServiceOverrides = {}): Promise<Services> {
  const log = overrides.log ?? createLog()
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const secrets = deriveSecrets(config.secret ?? (await readOrCreateSecret(config.dataDir)))
  const db = openDatabase(config)
  await migrate(db, config.databaseUrl === undefined ? 'sqlite' : 'postgres')
  const clock = overrides.clock ?? systemClock
  const outbox = join(config.dataDir, 'outbox')
  return {
    config,
    db,
    clock,
    secrets,
    sessionTokens: new SessionTokenReader(secrets.sessionKey),
    log,
    blobs: overrides.blobs ?? new DiskBlobStore(config.dataDir),
    // Half of the processors: the other half is for who waits for an answer.
    thumbnails: new ThumbnailMaker(Math.max(1, Math.floor(availableParallelism() / 2)), findFfmpeg(config, log)),
    digester: new Digester(),
    mediaReader: new MediaReader(findProgram('ffprobe', config.programPath)),
    mailer:
      overrides.mailer ??
      (config.smtpUrl ? new SmtpMailer(config) : new OutboxMailer(outbox, config.supportEmail, clock, log)),
    payments: overrides.payments ?? choosePayments(config, secrets, clock, log),
    jobs: new JobQueue(db, clock, log),
    rateLimits: new RateLimits(config.rateLimits),
  }
}

/** Closes the doors again, in reverse order. */
export async function closeServices(services: Services): Promise<void> {
  await services.jobs.stop()
  services.digester.rest()
  await services.mediaReader.close()
  await services.thumbnails.close()
  await services.mailer.close()
  await services.payments.close()
  await services.blobs.close()
  await services.db.destroy()
}

/** The sandbox gives plans away for test cards: never where strangers come. */
function choosePayments(config: Config, secrets: Secrets, clock: Clock, log: Logger): Payments {
  if (config.stripe) return new LivePayments(config.stripe, log)
  if (!isLoopback(config.publicUrl)) return noPayments
  const databasePath = join(config.dataDir, 'stripe-sandbox.sqlite')
  return new SandboxPayments({
    databasePath,
    publicUrl: config.publicUrl,
    clock,
    webhookSecret: secrets.sandboxWebhookSecret,
    log,
  })
}

/** The program that takes frames from videos. Never needed: without it videos show their type. */
function findFfmpeg({ programPath }: Config, log: Logger): string | undefined {
  const ffmpeg = findProgram('ffmpeg', programPath)
  if (ffmpeg) log.info({ ffmpeg }, 'ffmpeg was found: videos have thumbnails')
  else log.info('ffmpeg was not found on PATH: videos have no thumbnails')
  return ffmpeg
}

/** Lines of JSON, gathered for a moment and written off the event loop. What is left is written at the end. */
function createLog(): Logger {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096 })
  setInterval(() => destination.flush(), 250).unref()
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}
