import type { AnyCall } from '@alcove/contract/call'
import type { ErrorCode } from '@alcove/contract/errors'
import { RECENT_SIGN_IN_WINDOW } from '@alcove/contract/limits'
import { isPaidPlan } from '@alcove/contract/plans'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Services, SessionUser } from '../../context.ts'
import { AppError, accountSuspended, nothingHere } from '../../errors.ts'
import type { Database } from '../db/database.ts'
import { isAmong } from '../db/portable-sql.ts'
import { prepareQuery, type Value } from '../db/prepared-query.ts'
import { describeStorageFault } from '../storage-faults.ts'
import { assertInScope, getAppPasswordUser, isAppPassword } from './app-passwords.ts'
import { hasMounts } from './members.ts'
import { noteSeen } from './note-seen.ts'
import { getSubmissionUser, isSubmissionSecret } from './submissions.ts'
import { needsTwoFactor, twoFactorSetupRequired } from './two-factor-required.ts'

/** A session is extended only after this share of its lifetime or this many milliseconds, so that reads seldom cause a write. */
const EXTEND_AFTER = { share: 0.1, milliseconds: 10 * 60_000 }

/** Returns the bearer token of a request, valid or not. */
export function readBearer(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/**
 * Returns the user of a request for a call that isn't public. Throws 401 without a valid session or app password, and 403 if the
 * app password may not make the call or the call needs a paid plan. To everyone but administrators, calls for administrators look
 * like addresses where nothing is.
 */
export async function authenticate(
  services: Services,
  request: FastifyRequest,
  call: Pick<AnyCall, 'access' | 'scope' | 'isForVisitors' | 'beforeTwoFactor'>,
): Promise<SessionUser> {
  const user = await identify(services, request).catch((error: unknown) => {
    const isUnknown = error instanceof AppError && STRANGERS.has(error.code)
    throw call.access === 'admin' && isUnknown ? nothingHere() : error
  })
  if (call.access === 'admin' && !user.isAdmin) throw nothingHere()
  if (user.submission && !call.isForVisitors) {
    throw new AppError('forbidden', 'Visitors of a link can’t do this. They can only send files.')
  }
  if (user.appPassword) assertInScope(user.appPassword, call.scope)
  if (user.needsTwoFactor && !call.beforeTwoFactor) throw twoFactorSetupRequired()
  if (call.access === 'paid' && !isPaidPlan(user.planName)) {
    throw new AppError('plan_required', 'This is part of the paid plans.')
  }
  return user
}

/** The refusals of those of whom it isn't known whether they are administrators. */
const STRANGERS: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'account_suspended'])

async function identify(services: Services, request: FastifyRequest): Promise<SessionUser> {
  const token = readBearer(request)
  if (token !== undefined && isSubmissionSecret(token)) return getSubmissionUser(services, request, token)
  if (token !== undefined && isAppPassword(token)) return getAppPasswordUser(services, request, { secret: token })
  const user = token === undefined ? undefined : await findSessionUser(services, token, request.ip)
  if (user) return user
  if (token !== undefined && (await isSuspended(services, token)))
    throw accountSuspended(await services.readSupportEmail())
  throw new AppError('unauthenticated', 'Your session has expired.')
}

/** Returns whether a session would be valid if its user weren't suspended. */
async function isSuspended({ db, clock, config, sessionTokens }: Services, token: string): Promise<boolean> {
  const claims = await sessionTokens.read(token)
  if (!claims) return false
  const now = clock.now()
  const found = await unexpiredSessions(db, now, now - config.sessionMaxAge)
    .select('sessions.id')
    .where('sessions.id', '=', claims.sessionId)
    .where('sessions.user_id', '=', claims.userId)
    .where('users.suspended_at', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

const unexpiredSessions = (db: Database, now: number, oldest: number) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.expires_at', '>', now)
    // Sessions from before the operator lowered the maximum age end too.
    .where('sessions.created_at', '>', oldest)
    .where('users.deleted_at', 'is', null)

/** Selects the sessions that are valid, of users who may use them. */
const validSessions = (db: Database, now: number, oldest: number) =>
  unexpiredSessions(db, now, oldest).where('users.suspended_at', 'is', null)

/** Returns which of these sessions are still valid. */
export async function keepValidSessions({ db, clock, config }: Services, ids: readonly string[]): Promise<string[]> {
  const now = clock.now()
  const rows = await validSessions(db, now, now - config.sessionMaxAge)
    .select('sessions.id')
    .where(isAmong(db, 'sessions.id', ids))
    .execute()
  return rows.map(({ id }) => id)
}

const findSession = prepareQuery(
  (db, value: Value<{ sessionId: string; userId: string; now: number; oldest: number }>) =>
    validSessions(db, value('now'), value('oldest'))
      .select([
        'sessions.expires_at',
        'sessions.created_at',
        'sessions.confirmed_at',
        'sessions.last_used_at',
        'users.id',
        'users.email',
        'users.plan_id',
        'users.plan_name',
        'users.activated_at',
        'users.drive_root_id',
        'users.vault_root_id',
        'users.site_role',
      ])
      .select((eb) =>
        eb
          .exists(eb.selectFrom('members').select('members.id').whereRef('members.user_id', '=', 'users.id'))
          .as('has_shared_folders'),
      )
      .select(hasMounts)
      .select(needsTwoFactor)
      .where('sessions.id', '=', value('sessionId'))
      .where('sessions.user_id', '=', value('userId')),
)

/** Returns the user of a valid session token. */
export async function findSessionUser(services: Services, token: string, ip: string): Promise<SessionUser | undefined> {
  const claims = await services.sessionTokens.read(token)
  if (!claims) return undefined
  const now = services.clock.now()
  const [found] = (await findSession(services.db, { ...claims, now, oldest: now - services.config.sessionMaxAge })).rows
  if (!found) return undefined
  await extendSession(
    services,
    { id: claims.sessionId, userId: found.id, createdAt: found.created_at, lastUsedAt: found.last_used_at, ip },
    now,
  ).catch((error) => {
    // With a full or read-only disk users can still read their files, as long as this write may fail.
    if (!describeStorageFault(error)) throw error
  })
  return {
    id: found.id,
    sessionId: claims.sessionId,
    confirmedAt: Math.max(found.created_at, found.confirmed_at ?? 0),
    email: found.email,
    planId: found.plan_id,
    planName: found.plan_name,
    isActivated: found.activated_at !== null,
    driveRootId: found.drive_root_id,
    vaultRootId: found.vault_root_id,
    hasSharedFolders: Boolean(found.has_shared_folders),
    hasMounts: Boolean(found.has_mounts),
    isAdmin: found.site_role === 'admin',
    needsTwoFactor: Boolean(found.needs_two_factor),
  }
}

/** Returns when a session that is used at a given time expires: after its idle time, and never beyond its maximum age. */
export function endOfSession({ sessionTtl, sessionMaxAge }: Config, createdAt: number, usedAt: number): number {
  return Math.min(usedAt + sessionTtl, createdAt + sessionMaxAge)
}

/** Extends a session, so that a long upload doesn't outlive it, and records its last use for the list of sessions. */
async function extendSession(
  { db, config }: Services,
  {
    id,
    userId,
    createdAt,
    lastUsedAt,
    ip,
  }: { id: string; userId: string; createdAt: number; lastUsedAt: number; ip: string },
  now: number,
): Promise<void> {
  if (now - lastUsedAt < Math.min(config.sessionTtl * EXTEND_AFTER.share, EXTEND_AFTER.milliseconds)) return
  await db
    .updateTable('sessions')
    .set({ expires_at: endOfSession(config, createdAt, now), last_used_at: now, ip })
    .where('id', '=', id)
    .where('last_used_at', '<', now)
    .execute()
  await noteSeen(db, userId, now)
}

/**
 * Throws 403 `reauthentication_required` unless the session began, or was confirmed, a short while ago. Tolerates servers whose
 * clocks differ a little.
 */
export function assertRecentSignIn(
  { confirmedAt, appPassword }: Pick<SessionUser, 'confirmedAt' | 'appPassword'>,
  now: number,
): void {
  // Creating a token for administrators needed one.
  if (appPassword?.scope === 'admin') return
  if (Math.abs(now - confirmedAt) < RECENT_SIGN_IN_WINDOW) return
  throw new AppError('reauthentication_required', 'Confirm your password to continue.')
}
