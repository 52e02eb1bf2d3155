import type { Database } from '../../../platform/db/database.ts'
import type { ChallengeTable, UserRow } from '../../../platform/db/tables.ts'
import { createOneTimeToken, hashOneTimeToken } from '../../../platform/secrets/one-time-token.ts'

type Kind = ChallengeTable['kind']

interface NewChallenge {
  kind: Kind
  /** Whose answer alone will do; nobody's in particular where that is still to be found out. */
  userId?: string
  expiresAt: number
}

/** Makes a challenge that has to come back, with its answer, before it expires. */
export async function createChallenge(db: Database, { kind, userId, expiresAt }: NewChallenge): Promise<string> {
  const { token, hash } = createOneTimeToken()
  await db
    .insertInto('challenges')
    .values({ hash, kind, user_id: userId ?? null, expires_at: expiresAt })
    .execute()
  return token
}

/** Uses a challenge up; false when it is not good. One statement, so that of two answers at once only one counts. */
export async function useUpChallenge(
  db: Database,
  challenge: string,
  { kind, userId, now }: { kind: Kind; userId?: string; now: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('challenges')
    .where('hash', '=', hashOneTimeToken(challenge))
    .where('kind', '=', kind)
    .where('user_id', userId === undefined ? 'is' : '=', userId ?? null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Whose challenge it is, as long as it is good. */
export function findChallengedUser(
  db: Database,
  challenge: string,
  kind: Kind,
  now: number,
): Promise<UserRow | undefined> {
  return db
    .selectFrom('challenges')
    .innerJoin('users', 'users.id', 'challenges.user_id')
    .selectAll('users')
    .where('challenges.hash', '=', hashOneTimeToken(challenge))
    .where('challenges.kind', '=', kind)
    .where('challenges.expires_at', '>', now)
    .executeTakeFirst()
}
