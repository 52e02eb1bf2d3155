import type { Context, Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { OneTimeTokenTable, UserRow } from '../../../platform/db/tables.ts'
import { createOneTimeToken, hashOneTimeToken } from '../../../platform/secrets/one-time-token.ts'
import { logSecurity } from '../../../platform/security-log.ts'

type Kind = OneTimeTokenTable['kind']

/** Makes a token for a mail to a user. Those made earlier stay good, since mails may arrive in another order. */
export async function issueToken(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  user: UserRow,
  kind: Kind,
  ttl: number,
): Promise<string> {
  const { token, hash } = createOneTimeToken()
  await db
    .insertInto('one_time_tokens')
    .values({ token_hash: hash, user_id: user.id, kind, email: user.email, expires_at: clock.now() + ttl })
    .execute()
  return token
}

/** The user whom a good token was mailed to, or undefined. */
export function findTokenOwner(db: Database, kind: Kind, token: string, now: number): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', goodToken(db, kind, token, now))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function assertResetToken(ctx: Context, token: string): Promise<void> {
  if (await goodToken(ctx.db, 'reset', token, ctx.clock.now()).executeTakeFirst()) return
  logSecurity(ctx, 'mail_link_failed', {})
  throw invalidResetToken()
}

export function invalidResetToken(): AppError {
  return new AppError('invalid_token', 'Invalid or expired token. Please request a new password reset link.')
}

/**
 * Uses a token up, and with it all of its kind that the user has; answers whose it was and where it was mailed to, or
 * undefined when it was not good. One statement does it, so that of two uses at once only one succeeds. What follows has
 * to hold the address against the account's once more, in the statement that relies on it.
 */
export async function consumeToken(
  tx: Tx,
  kind: Kind,
  token: string,
  now: number,
): Promise<{ userId: string; email: string } | undefined> {
  const deleted = await tx
    .deleteFrom('one_time_tokens')
    .where('kind', '=', kind)
    .where('user_id', 'in', goodToken(tx, kind, token, now))
    .returning(['token_hash', 'user_id', 'email'])
    .execute()
  const hash = hashOneTimeToken(token)
  const used = deleted.find((row) => row.token_hash === hash)
  return used && { userId: used.user_id, email: used.email }
}

function goodToken(db: Database, kind: Kind, token: string, now: number) {
  return db
    .selectFrom('one_time_tokens as good')
    .innerJoin('users', (join) => join.onRef('users.id', '=', 'good.user_id').onRef('users.email', '=', 'good.email'))
    .select('good.user_id')
    .where('good.token_hash', '=', hashOneTimeToken(token))
    .where('good.kind', '=', kind)
    .where('good.expires_at', '>', now)
}
