import { createOneTimeToken, hashOneTimeToken } from '../../../platform/crypto/one-time-token.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ChallengeTable, UserRow } from '../../../platform/db/tables.ts'

type Kind = ChallengeTable['kind']

interface NewChallenge {
  kind: Kind
  /** The user who must respond, if already known. */
  userId?: string
  expiresAt: number
}

/** Creates a challenge that must be answered before it expires. */
export async function createChallenge(db: Database, { kind, userId, expiresAt }: NewChallenge): Promise<string> {
  const { token, hash } = createOneTimeToken()
  await db
    .insertInto('challenges')
    .values({ hash, kind, user_id: userId ?? null, expires_at: expiresAt })
    .execute()
  return token
}

/**
 * Uses up a challenge. Returns false if it is invalid. One statement, so that of two concurrent responses only one
 * counts.
 */
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

/** Returns the user of a valid challenge. */
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
