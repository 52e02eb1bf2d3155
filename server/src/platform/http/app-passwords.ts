import type { ServerResponse } from 'node:http'
import type { Scope } from '@alcove/contract/call'
import { MINUTE } from '@alcove/contract/rate-limits'
import type { FastifyRequest } from 'fastify'
import type { AppPasswordUse, Services, SessionUser } from '../../context.ts'
import { AppError, accountSuspended, notFound } from '../../errors.ts'
import { hashAppPassword } from '../crypto/app-password.ts'
import type { Database } from '../db/database.ts'
import { isAmong } from '../db/portable-sql.ts'
import { prepareQuery, type Value } from '../db/prepared-query.ts'
import { logSecurity } from '../security-log.ts'
import { describeStorageFault } from '../storage-faults.ts'
import { describeDevice } from './describe-device.ts'
import { hasMounts, isStillMember } from './members.ts'
import { noteSeen } from './note-seen.ts'
import { isSubmissionOpen } from './submissions.ts'
import { needsTwoFactor, twoFactorSetupRequired } from './two-factor-required.ts'

/** Successes don't count: an app may send thousands of requests a minute. */
const FAILURES = { points: 60, seconds: 15 * MINUTE }
/** The last use is recorded at most this often, so that reads seldom cause a write. */
const RECORDED_EVERY = 60_000
/** How often a request that takes long makes sure that its app password still works. */
const CHECKED_EVERY = 5_000

/** Returns whether a text has the form of an app password, which tokens of sessions don't have. */
export function isAppPassword(text: string): boolean {
  return hashAppPassword(NO_KEY, text) !== undefined
}

const NO_KEY = new Uint8Array()

/** What an app sends to sign in: by Bearer only the password, by Basic the address of the account too. */
interface Credentials {
  secret: string
  email?: string
}

/**
 * Returns the user of a valid app password. Throws 401 if it is wrong, revoked or expired or belongs to another address, and 404
 * if its folder is in the trash, and 403 if the user must first set up two-factor sign-in. Only failures count towards a limit, and a valid password works even above it, so that
 * one app with an old password doesn't lock out its neighbours.
 */
export async function getAppPasswordUser(
  services: Services,
  request: FastifyRequest,
  { secret, email }: Credentials,
): Promise<SessionUser> {
  const { db, clock, secrets } = services
  const secretHash = hashAppPassword(secrets.appPasswordKey, secret)
  const now = clock.now()
  const [found] = secretHash === undefined ? [] : (await findAppPassword(db, { secretHash, now })).rows
  if (!found || (email !== undefined && email.trim().toLowerCase() !== found.email)) {
    if (secretHash !== undefined && !found) await assertNotSuspended(services, secretHash)
    logSecurity({ log: services.log, ip: request.ip }, 'app_password_failed', { ...(email && { account: email }) })
    await services.rateLimits.consumeFrom('failed app passwords', FAILURES, request.ip)
    throw new AppError('unauthenticated', 'This app password is wrong, was revoked or has expired.')
  }
  if (found.needs_two_factor) throw twoFactorSetupRequired()
  await recordUse(services, found, request)
  if (found.folder_id !== null && found.folder_trash_id !== null) throw notFound('folder')
  return {
    id: found.user_id,
    sessionId: found.id,
    appPassword: { id: found.id, scope: found.scope, name: found.name, folderId: found.folder_id },
    confirmedAt: 0,
    email: found.email,
    planId: found.plan_id,
    planName: found.plan_name,
    isActivated: found.activated_at !== null,
    driveRootId: found.folder_id ?? found.drive_root_id,
    vaultRootId: found.folder_id === null ? found.vault_root_id : '',
    hasMounts: Boolean(found.has_mounts),
    isAdmin: found.site_role === 'admin',
  }
}

/**
 * Returns the user of a request with HTTP Basic authentication (RFC 7617): the account's address and an app password. The password
 * of the account never works. Throws 401 as `getAppPasswordUser` does, and without credentials.
 */
export function authenticateBasic(services: Services, request: FastifyRequest): Promise<SessionUser> {
  const encoded = /^Basic ([\w+/]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
  const [, email, secret] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  if (email === undefined || secret === undefined) {
    throw new AppError('unauthenticated', 'Sign in with your email address and an app password.')
  }
  return getAppPasswordUser(services, request, { email, secret })
}

const findAppPassword = prepareQuery((db, value: Value<{ secretHash: string; now: number }>) =>
  db
    .selectFrom('app_passwords')
    .innerJoin('users', 'users.id', 'app_passwords.user_id')
    .leftJoin('items as folder', 'folder.id', 'app_passwords.folder_id')
    .select([
      'app_passwords.id',
      'app_passwords.user_id',
      'app_passwords.scope',
      'app_passwords.name',
      'app_passwords.folder_id',
      'app_passwords.last_used_at',
      'folder.trash_id as folder_trash_id',
      'users.email',
      'users.plan_id',
      'users.plan_name',
      'users.activated_at',
      'users.drive_root_id',
      'users.vault_root_id',
      'users.site_role',
    ])
    .select(hasMounts)
    .select(needsTwoFactor)
    .where('app_passwords.secret_hash', '=', value('secretHash'))
    .where((eb) =>
      eb.or([eb('app_passwords.expires_at', 'is', null), eb('app_passwords.expires_at', '>', value('now'))]),
    )
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null),
)

/** Throws if an app password is right but of a suspended account, so that the app can say so. */
async function assertNotSuspended({ db, readSupportEmail }: Services, secretHash: string): Promise<void> {
  const found = await db
    .selectFrom('app_passwords')
    .innerJoin('users', 'users.id', 'app_passwords.user_id')
    .select('users.id')
    .where('app_passwords.secret_hash', '=', secretHash)
    .where('users.suspended_at', 'is not', null)
    .executeTakeFirst()
  if (found) throw accountSuspended(await readSupportEmail())
}

async function recordUse(
  { db, clock }: Services,
  { id, user_id, last_used_at }: { id: string; user_id: string; last_used_at: number | null },
  request: FastifyRequest,
): Promise<void> {
  const now = clock.now()
  if (last_used_at !== null && now - last_used_at < RECORDED_EVERY) return
  const app = describeDevice(request.headers['user-agent'] ?? '')
  await db
    .updateTable('app_passwords')
    .set({ last_used_at: now, app, ip: request.ip })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', now)]))
    .execute()
    .then(() => noteSeen(db, user_id, now))
    .catch((error: unknown) => {
      // With a full or read-only disk apps can still read.
      if (!describeStorageFault(error)) throw error
    })
}

const refusals = {
  read: 'This app password may only read.',
  write: 'App passwords can’t do this. Sign in with a browser.',
  upload: 'This app password may only upload.',
  admin: 'This token is only for administration.',
} as const

/** Throws 403 unless an app password may make a call of that scope. Calls without one are only for sessions. */
export function assertInScope({ scope }: AppPasswordUse, needed: Scope | undefined): void {
  if (needed === undefined) throw new AppError('forbidden', refusals.write)
  if (scope === needed || (scope === 'write' && needed !== 'admin')) return
  throw new AppError('forbidden', refusals[scope])
}

/**
 * Ends a request that takes long, such as a download, soon after its app password was revoked or has expired, a visitor's link no
 * longer works, or a member may no longer make it.
 */
export function endWhenRevoked(services: Services, user: SessionUser, response: ServerResponse): void {
  endUnless(response, () => isStillValid(services, user))
}

/** Ends a request that takes long soon after it is no longer allowed. */
export function endUnless(response: ServerResponse, isAllowed: () => Promise<boolean>): void {
  const timer = setInterval(async () => {
    if (!(await isAllowed().catch(() => true))) response.destroy()
  }, CHECKED_EVERY).unref()
  response.once('close', () => clearInterval(timer))
}

/** Returns which of these app passwords are still valid. */
export async function keepValidAppPasswords({ db, clock }: Services, ids: readonly string[]): Promise<string[]> {
  const now = clock.now()
  const rows = await db
    .selectFrom('app_passwords')
    .innerJoin('users', 'users.id', 'app_passwords.user_id')
    .select('app_passwords.id')
    .where(isAmong(db, 'app_passwords.id', ids))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where('users.suspended_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

async function isStillValid(services: Services, user: SessionUser): Promise<boolean> {
  const { id, appPassword, submission, member } = user
  if (member) return isStillMember(services.db, member)
  if (submission) return isSubmissionOpen(services, submission.id)
  const { db, clock } = services
  if (!appPassword) return isUsable(db, id)
  return (await findValid(db, { id: appPassword.id, now: clock.now() })).rows.length > 0
}

/** Returns whether an account is neither deleted nor suspended, for requests that take long. */
export async function isUsable(db: Database, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

const findValid = prepareQuery((db, value: Value<{ id: string; now: number }>) =>
  db
    .selectFrom('app_passwords')
    .innerJoin('users', 'users.id', 'app_passwords.user_id')
    .select('app_passwords.id')
    .where('app_passwords.id', '=', value('id'))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', value('now'))]))
    .where('users.suspended_at', 'is', null),
)
