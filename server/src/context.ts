import type { Scope } from '@alcove/contract/call'
import type { Role } from '@alcove/contract/roles'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { BlobStore } from './platform/blobs/blob-store.ts'
import type { Clock } from './platform/clock.ts'
import type { ConcurrencyLimiter } from './platform/concurrency.ts'
import type { Digester } from './platform/crypto/digester.ts'
import type { Secrets } from './platform/crypto/secrets.ts'
import type { SessionTokenReader } from './platform/crypto/session-token.ts'
import type { StreamHasher } from './platform/crypto/stream-hasher.ts'
import type { Database } from './platform/db/database.ts'
import type { EventHub } from './platform/events/event-hub.ts'
import type { RateLimits } from './platform/http/rate-limits.ts'
import type { ThumbnailMaker } from './platform/images/thumbnail-maker.ts'
import type { JobQueue } from './platform/jobs/job-queue.ts'
import type { ScheduleRecord } from './platform/jobs/schedule-record.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { MediaReader } from './platform/media/media-reader.ts'
import type { SegmentMaker } from './platform/media/segment-maker.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { OidcClient } from './platform/oidc/oidc-client.ts'
import type { Payments } from './platform/payments/payments.ts'

/** The services that every operation can use: adapters to the outside world, and the settings. */
export interface Services {
  readonly config: Config
  readonly db: Database
  readonly blobs: BlobStore
  readonly thumbnails: ThumbnailMaker
  readonly digester: Digester
  readonly streamHasher: StreamHasher
  readonly mediaReader: MediaReader
  readonly segments: SegmentMaker
  readonly mailer: Mailer
  readonly payments: Payments
  readonly oidc: OidcClient
  readonly jobs: JobQueue
  readonly schedule: ScheduleRecord
  readonly events: EventHub
  readonly clock: Clock
  /** Returns where users write for help: the address of the settings, and in requests the one that administrators have chosen. */
  readonly readSupportEmail: () => Promise<string>
  readonly secrets: Secrets
  readonly sessionTokens: SessionTokenReader
  readonly rateLimits: RateLimits
  readonly zipLimiter: ConcurrencyLimiter
  readonly log: FastifyBaseLogger
  /** Undefined if metrics are off. */
  readonly metrics: Metrics | undefined
}

/** An app password that makes a request. */
export interface AppPasswordUse {
  readonly id: string
  readonly scope: Scope
  /** Undefined if a visitor or a member makes the request. */
  readonly name?: string
  /** The only folder that it can use. Null for the whole drive. */
  readonly folderId: string | null
}

/** What a visitor sends through a link. The request is made for the owner of the link, and reaches only what the visitor sent. */
export interface SubmissionUse {
  readonly id: string
  readonly linkId: string
  /** Null if the visitor gave none. */
  readonly visitorName: string | null
  /** The name of the visitor's own folder. Null if the files go into the folder of the link itself. */
  readonly folderName: string | null
  /** The allowed extensions; empty for all. */
  readonly fileTypes: readonly string[]
  readonly maxFileBytes: number | null
}

/** The member of a shared folder who makes a request there. It is made for the owner of the folder, and reaches only that folder. */
export interface MemberUse {
  /** The membership. */
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly role: Role
  /** The least role with which the call can be made. */
  readonly needs: Role
}

/** The user of the request. */
export interface SessionUser {
  readonly id: string
  /** Of the session, or of the app password. Empty if the operator acts for the user. */
  readonly sessionId: string
  /** Undefined in a session. */
  readonly appPassword?: AppPasswordUse
  /** Undefined unless a visitor of a link makes the request. Then `appPassword` limits it to the folder of the link. */
  readonly submission?: SubmissionUse
  /** Undefined unless a member of a shared folder makes the request. Then `appPassword` limits it to that folder. */
  readonly member?: MemberUse
  /** Whether others share folders with the user. Undefined for none, and if no session makes the request. */
  readonly hasSharedFolders?: boolean
  /** Whether the user has placed shared folders in the own drive. Undefined if somebody else makes the request. */
  readonly hasMounts?: boolean
  /** Whether the user is an administrator. Undefined if somebody else makes the request. */
  readonly isAdmin?: boolean
  /** Whether the user can do nothing but set up two-factor sign-in. */
  readonly needsTwoFactor?: boolean
  /** When the session began, or was last confirmed by `/reauthenticate`. Zero for an app password. */
  readonly confirmedAt: number
  readonly email: string
  readonly planId: number
  readonly planName: string
  readonly isActivated: boolean
  /** The root of the drive; for an app password of one folder, that folder; for a member, the shared folder. */
  readonly driveRootId: string
  /** The root of the vault; empty for an app password of one folder, which reaches nothing there. */
  readonly vaultRootId: string
  /** The tokens of the locks that the request holds. Undefined for none, as in the web. */
  readonly lockTokens?: ReadonlySet<string>
}

/** The context of a public operation. */
export interface Context extends Services {
  /** The caller's address, for rate limits. */
  readonly ip: string
  /** The request's session token, valid or not, for public calls that check it themselves. */
  readonly bearer: string | undefined
  /** The caller's `User-Agent`, or an empty text. */
  readonly userAgent: string
  /** Returns a signal that aborts when the caller disconnects, for work that nobody else needs. */
  readonly abortSignal: () => AbortSignal
}

/** The context of an operation for signed-in users. */
export interface UserContext extends Context {
  readonly user: SessionUser
  /**
   * Who brings items into the target folder of the call, if that isn't `user`: the items or the folder are in a shared folder, and
   * not both in the same one.
   */
  readonly target?: SessionUser
}

/** What the layer above knows about the site. */
export interface SiteKnowledge {
  readSupportEmail: (services: Pick<Services, 'config' | 'db'>) => Promise<string>
}
