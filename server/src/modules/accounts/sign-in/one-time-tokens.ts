import type { Context, Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { createOneTimeToken, hashOneTimeToken } from '../../../platform/crypto/one-time-token.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { OneTimeTokenTable, UserRow } from '../../../platform/db/tables.ts'
import { logSecurity } from '../../../platform/security-log.ts'

type Kind = OneTimeTokenTable['kind']

/** Creates a token for a mail to a user. Earlier tokens stay valid, because mails may arrive out of order. */
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

/** Returns the user of a valid token and the address it was mailed to, or undefined. */
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
 * Uses up a token and all others of its kind that the user has. Returns its user and the address it was mailed to, or
 * undefined if it was invalid. One statement, so that of two concurrent uses only one succeeds. The caller must compare
 * the address with the account's again in the statement that relies on it.
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
    .where('users.suspended_at', 'is', null)
    .where('good.expires_at', '>', now)
}
