import { calls } from '@alcove/contract/calls'
import type { Services } from '../../../context.ts'
import { nothingHere } from '../../../errors.ts'
import { hashPassword } from '../../../platform/crypto/passwords.ts'
import { isSignatureOf, signParts } from '../../../platform/crypto/secrets.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { type AuditActor, noteAudit } from '../../audit/index.ts'
import { emailTaken } from '../registration/register.ts'
import { openSession, presentSignedIn } from '../sessions/sessions.ts'
import { assertGoodPassword } from '../sign-in/check-password.ts'
import { createUser } from '../users.ts'
import { hasAdministrator, setRole } from './roles.ts'

const PURPOSE = ['first administrator']

/**
 * Returns the address at which somebody becomes the first administrator, or undefined if there has been one. It works once, on every
 * server that shares the database, and stays the same across restarts until then.
 */
export async function firstAdministratorUrl({ db, config, secrets }: Services): Promise<string | undefined> {
  if (!(await isOpen(db))) return undefined
  // Behind the `#`, it stays out of logs and of the addresses that browsers send to other sites.
  return `${config.publicUrl}/setup#${signParts(secrets.setupKey, PURPOSE)}`
}

async function isOpen(db: Database): Promise<boolean> {
  const closed = await db.selectFrom('site_settings').select('name').where('name', '=', CLOSED).executeTakeFirst()
  return !closed && !(await hasAdministrator(db as Tx))
}

/** Checks the address without using it up. */
export const checkSetup = endpoint(calls.checkSetup, async (ctx, { token }) => {
  assertSetupToken(ctx, token)
  if (!(await isOpen(ctx.db))) throw nothingHere()
  return { isOpen: true as const }
})

/** Creates the account of the first administrator and signs in. It needs no activation: whoever can read the log owns the server. */
export const setUp = endpoint(calls.setUp, async (ctx, { token, email, password }) => {
  assertSetupToken(ctx, token)
  await assertGoodPassword(password, email)
  const passwordHash = await hashPassword(password)
  const now = ctx.clock.now()
  const { user, opened } = await ctx.db
    .transaction()
    .execute(async (tx) => {
      await close(tx, now)
      const id = await createUser(ctx, tx, { email, passwordHash, activatedAt: now, now })
      await appoint(ctx, tx, { id, email, ip: ctx.ip })
      const user = await tx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      return { user, opened: await openSession(ctx, tx, user) }
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? emailTaken() : error
    })
  logSecurity(ctx, 'registered', { account: email })
  return presentSignedIn(ctx, user, opened)
})

/** Makes the signed-in user the first administrator. */
export const claimSetup = endpoint(calls.claimSetup, async (ctx, { token }) => {
  assertSetupToken(ctx, token)
  await ctx.db.transaction().execute(async (tx) => {
    await close(tx, ctx.clock.now())
    await appoint(ctx, tx, { id: ctx.user.id, email: ctx.user.email, ip: ctx.ip })
  })
  return { message: 'You are an administrator now.' }
})

function assertSetupToken({ secrets }: Pick<Services, 'secrets'>, token: string): void {
  if (!isSignatureOf(secrets.setupKey, PURPOSE, token)) throw nothingHere()
}

/** The row that says that the address was used, which only one transaction can add. */
const CLOSED = 'first-administrator'

async function close(tx: Tx, now: number): Promise<void> {
  const added = await tx
    .insertInto('site_settings')
    .values({ name: CLOSED, value: 'true', updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  if (!added.numInsertedOrUpdatedRows || (await hasAdministrator(tx))) throw nothingHere()
}

async function appoint(
  services: Pick<Services, 'clock'>,
  tx: Tx,
  { id, email, ip }: { id: string; email: string; ip: string },
): Promise<void> {
  await setRole(tx, id, 'admin')
  const actor: AuditActor = { via: 'setup', actor_id: id, actor: email, ip }
  await noteAudit(services, tx, actor, { action: 'administrator.first', target: email })
}
