import type { SignedIn } from '@alcove/contract/accounts'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { createNoPassword } from '../../../platform/crypto/passwords.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { assertAdmits } from '../../site/index.ts'
import { useInvitationTo } from '../invitations/give-what-was-promised.ts'
import { dropEarlierAccess } from '../registration/claim-address.ts'
import { openSession, presentSignedIn } from '../sessions/sessions.ts'
import { createUser } from '../users.ts'
import type { Person } from './claims.ts'
import { alreadyLinked, linkPerson } from './identities.ts'

/**
 * Creates an account without a password for a person whose address the provider has verified, and signs in. An account that somebody
 * registered with the address, but never confirmed, becomes the person's: all access to it that was set up before ends.
 */
export async function createLinkedUser(
  ctx: Context,
  person: Person & { email: string },
  unconfirmed: UserRow | undefined,
): Promise<SignedIn> {
  // Accounts that are created now aren't those of administrators.
  await assertAdmits(ctx, unconfirmed ?? { site_role: 'user' })
  const { user, opened } = await ctx.db.transaction().execute(async (tx) => {
    const id = unconfirmed ? await takeOver(ctx, tx, unconfirmed) : await create(ctx, tx, person.email)
    if ((await linkPerson(ctx, tx, id, person)) === undefined) throw alreadyLinked()
    await useInvitationTo(ctx, tx, person.email, id)
    const created = await tx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return { user: created, opened: await openSession(ctx, tx, created, person) }
  })
  return presentSignedIn(ctx, user, opened)
}

function create(ctx: Context, tx: Tx, email: string): Promise<string> {
  const now = ctx.clock.now()
  return createUser(ctx, tx, { email, passwordHash: createNoPassword(), activatedAt: now, now })
}

async function takeOver(ctx: Context, tx: Tx, { id, email }: UserRow): Promise<string> {
  const now = ctx.clock.now()
  const taken = await tx
    .updateTable('users')
    .set({
      password_hash: createNoPassword(),
      activated_at: now,
      confirmed_email: email,
      created_at: now,
      claimed_from: null,
      proof_hash: null,
    })
    .where('id', '=', id)
    .where('email', '=', email)
    .where('confirmed_email', 'is', null)
    .where('email_changed_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  if (taken.numUpdatedRows === 0n)
    throw new AppError('state_conflict', 'Your account has just changed. Please start again.')
  await tx.deleteFrom('one_time_tokens').where('user_id', '=', id).execute()
  await dropEarlierAccess(tx, id, now)
  return id
}
