import type { Access } from '@alcove/contract/call'
import { isPaidPlan } from '@alcove/contract/plans'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Services, SessionUser } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { prepareQuery, type Value } from '../db/prepared-query.ts'
import { describeStorageFault } from '../storage-faults.ts'

/** A session's end is moved on only when this share of its life has passed, or so much time, so that reading seldom writes. */
const EXTEND_AFTER = { share: 0.1, milliseconds: 10 * 60_000 }

/** The session token that a request bears, good or not. */
export function readBearer(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** The signed-in user behind a request, or a refusal: 401 without a living session, 403 without the plan it takes. */
export async function authenticate(
  services: Services,
  request: FastifyRequest,
  access: Exclude<Access, 'public'>,
): Promise<SessionUser> {
  const token = readBearer(request)
  const user = token === undefined ? undefined : await findSessionUser(services, token, request.ip)
  if (!user) throw new AppError('unauthenticated', 'Your session has expired.')
  if (access === 'paid' && !isPaidPlan(user.planName)) {
    throw new AppError('plan_required', 'This is part of the paid plans.')
  }
  return user
}

const findSession = prepareQuery(
  (db, value: Value<{ sessionId: string; userId: string; now: number; oldest: number }>) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
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
      ])
      .where('sessions.id', '=', value('sessionId'))
      .where('sessions.user_id', '=', value('userId'))
      .where('sessions.expires_at', '>', value('now'))
      // Also those that began when the operator allowed more.
      .where('sessions.created_at', '>', value('oldest'))
      .where('users.deleted_at', 'is', null),
)

/** The user of a living session, by its token. */
export async function findSessionUser(services: Services, token: string, ip: string): Promise<SessionUser | undefined> {
  const claims = await services.sessionTokens.read(token)
  if (!claims) return undefined
  const now = services.clock.now()
  const [found] = (await findSession(services.db, { ...claims, now, oldest: now - services.config.sessionMaxAge })).rows
  if (!found) return undefined
  await extendSession(
    services,
    { id: claims.sessionId, createdAt: found.created_at, lastUsedAt: found.last_used_at, ip },
    now,
  ).catch((error) => {
    // On a disk that is full or read-only what is stored can still be read, if nobody insists on writing this down.
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
  }
}

/** Returns when a session ends that is used at a moment: after the idle time, and never beyond its maximum age. */
export function endOfSession({ sessionTtl, sessionMaxAge }: Config, createdAt: number, usedAt: number): number {
  return Math.min(usedAt + sessionTtl, createdAt + sessionMaxAge)
}

/** Use extends a session, so that a long upload does not die of it, and is noted for its user to see. */
async function extendSession(
  { db, config }: Services,
  { id, createdAt, lastUsedAt, ip }: { id: string; createdAt: number; lastUsedAt: number; ip: string },
  now: number,
): Promise<void> {
  if (now - lastUsedAt < Math.min(config.sessionTtl * EXTEND_AFTER.share, EXTEND_AFTER.milliseconds)) return
  await db
    .updateTable('sessions')
    .set({ expires_at: endOfSession(config, createdAt, now), last_used_at: now, ip })
    .where('id', '=', id)
    .where('last_used_at', '<', now)
    .execute()
}
