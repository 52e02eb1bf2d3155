import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { BlobStore } from './platform/blobs/blob-store.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/db/database.ts'
import type { Digester } from './platform/digests/digester.ts'
import type { ConcurrencyLimiter } from './platform/http/concurrency-limiter.ts'
import type { RateLimits } from './platform/http/rate-limits.ts'
import type { ThumbnailMaker } from './platform/images/thumbnail-maker.ts'
import type { JobQueue } from './platform/jobs/job-queue.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { MediaReader } from './platform/media/media-reader.ts'
import type { SegmentMaker } from './platform/media/segment-maker.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { Payments } from './platform/payments/payments.ts'
import type { Secrets } from './platform/secrets/secrets.ts'
import type { SessionTokenReader } from './platform/secrets/session-token.ts'

/** What every operation may use: the doors to the outside, and the settings. */
export interface Services {
  readonly config: Config
  readonly db: Database
  readonly blobs: BlobStore
  readonly thumbnails: ThumbnailMaker
  readonly digester: Digester
  readonly mediaReader: MediaReader
  readonly segments: SegmentMaker
  readonly mailer: Mailer
  readonly payments: Payments
  readonly jobs: JobQueue
  readonly clock: Clock
  readonly secrets: Secrets
  readonly sessionTokens: SessionTokenReader
  readonly rateLimits: RateLimits
  readonly zipsAtOnce: ConcurrencyLimiter
  readonly log: FastifyBaseLogger
  /** Undefined while nobody is to see them. */
  readonly metrics: Metrics | undefined
}

/** Who makes a call, as the session says. */
export interface SessionUser {
  readonly id: string
  readonly sessionId: string
  /** When the session began, or was last confirmed by `/reauthenticate`. */
  readonly confirmedAt: number
  readonly email: string
  readonly planId: number
  readonly planName: string
  readonly isActivated: boolean
  readonly driveRootId: string
  readonly vaultRootId: string
}

/** What a public operation receives. */
export interface Context extends Services {
  /** The caller's address, for rate limits. */
  readonly ip: string
  /** The token of a session that the request bears, good or not; calls that anyone may make look at it by themselves. */
  readonly bearer: string | undefined
  /** What the caller's browser says that it is; empty where it says nothing. */
  readonly userAgent: string
  /** A signal of the caller's going away, for work that nobody else waits for. */
  readonly abortSignal: () => AbortSignal
}

/** What an operation for signed-in users receives. */
export interface UserContext extends Context {
  readonly user: SessionUser
}
