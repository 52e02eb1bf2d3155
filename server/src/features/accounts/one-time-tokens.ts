import { AppError } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { OneTimeTokenTable } from '../../platform/db/tables.ts'
import { createOneTimeToken, hashOneTimeToken } from '../../platform/secrets/one-time-token.ts'

type Kind = OneTimeTokenTable['kind']

/** Makes a token for a mail. Those made earlier stay good, since mails may arrive in another order. */
export async function issueToken(db: Database, token: { userId: string; kind: Kind; expiresAt: number }) {
  const { token: text, hash } = createOneTimeToken()
  await db
    .insertInto('one_time_tokens')
    .values({ token_hash: hash, user_id: token.userId, kind: token.kind, expires_at: token.expiresAt })
    .execute()
  return text
}

export async function assertResetToken(db: Database, token: string, now: number): Promise<void> {
  if (!(await goodToken(db, 'reset', token, now).executeTakeFirst())) throw invalidResetToken()
}

export function invalidResetToken(): AppError {
  return new AppError('invalid_token', 'Invalid or expired token. Please request a new password reset link.')
}

/**
 * Uses a token up, and with it all of its kind that the user has; answers whose it was, or undefined when it was not
 * good. One statement does it, so that of two uses at once only one succeeds.
 */
export async function consumeToken(tx: Tx, kind: Kind, token: string, now: number): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('one_time_tokens')
    .where('kind', '=', kind)
    .where('user_id', 'in', goodToken(tx, kind, token, now))
    .returning(['token_hash', 'user_id'])
    .execute()
  const hash = hashOneTimeToken(token)
  return deleted.find((row) => row.token_hash === hash)?.user_id
}

function goodToken(db: Database, kind: Kind, token: string, now: number) {
  return db
    .selectFrom('one_time_tokens as good')
    .select('good.user_id')
    .where('good.token_hash', '=', hashOneTimeToken(token))
    .where('good.kind', '=', kind)
    .where('good.expires_at', '>', now)
}
