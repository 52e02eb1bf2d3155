import type { Database, Tx } from '../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'

/** What changes of a user's trees must know about them. */
export interface TreeState {
  /** When the user's last lock expires. */
  locked_until: number
  /** Since when clients follow changes of folders, as a version of the trees. Null if none does. */
  followed_since: number | null
}

/**
 * The state of the trees that a transaction has locked, by the user. The statement that locks them returns it, so changes of users
 * without locks and sync clients cost no further statement. A subquery there would be wrong: on PostgreSQL it would not see what the
 * transaction did for which the statement has waited.
 */
const known = new WeakMap<Database, Map<string, TreeState>>()

/** Remembers the state of trees. `locked_until` never goes back, because a savepoint may undo the release of a lock. */
export function noteTreeState(tx: Tx, userId: string, state: TreeState): void {
  const users = known.get(tx) ?? new Map<string, TreeState>()
  known.set(tx, users)
  const locked_until = Math.max(users.get(userId)?.locked_until ?? 0, state.locked_until)
  users.set(userId, { ...state, locked_until })
}

/** Returns the state of a user's trees, which need not be locked for an early check. */
export async function getTreeState(db: Database, userId: string): Promise<TreeState> {
  const noted = known.get(db)?.get(userId)
  if (noted) return noted
  const [user] = (await readTreeState(db, { userId })).rows
  return user ?? { locked_until: 0, followed_since: null }
}

const readTreeState = prepareQuery((db, value: Value<{ userId: string }>) =>
  db.selectFrom('users').select(['locked_until', 'followed_since']).where('id', '=', value('userId')),
)
