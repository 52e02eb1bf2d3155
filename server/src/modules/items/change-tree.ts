import { sql } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import { noteNewNames } from '../search/index.ts'

type Change = (tx: Tx) => Promise<unknown>
type Outcome = { value: unknown } | { error: unknown }

interface WaitingChange {
  change: Change
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/** So many changes share a transaction at most: it holds SQLite's one connection while it runs. */
const MAX_TOGETHER = 32

/** The changes that wait for their user's turn, by database and user. */
const waiting = new WeakMap<Database, Map<string, WaitingChange[]>>()

/**
 * Runs a change of a user's trees in a transaction, one at a time for each user: raising the version takes the lock on
 * the user's row first. So two moves cannot make a circle, nothing lands in a folder that is just being trashed, and
 * locks are always taken in the same order. What comes while another change of the same user runs waits, and then shares
 * one transaction and one sync, each behind a savepoint: one that fails takes nothing else with it.
 *
 * Database statements only: nothing else of this user, and on SQLite nothing at all, goes on meanwhile.
 */
export function changeTree<T>(
  { db, user }: { db: Database; user: { id: string } },
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const users = waiting.get(db) ?? new Map<string, WaitingChange[]>()
  waiting.set(db, users)
  const queue = users.get(user.id)
  if (queue) {
    queue.push({ change, resolve, reject })
  } else {
    users.set(user.id, [{ change, resolve, reject }])
    // After what else is ready to run: changes that come in the same breath go together.
    setImmediate(() => void runWaiting(db, user.id, users))
  }
  return promise
}

/**
 * Takes the lock on a user's trees until the transaction ends, and raises the version by which other devices notice that
 * something has changed.
 */
export async function lockTree(tx: Tx, userId: string): Promise<void> {
  const { numAffectedRows } = await raiseVersion(tx, { userId })
  // The account was deleted meanwhile.
  if (numAffectedRows === 0n) throw notFound('item')
}

const raiseVersion = prepareQuery((db, value: Value<{ userId: string }>) =>
  db
    .updateTable('users')
    .set((eb) => ({ tree_version: eb('tree_version', '+', 1) }))
    .where('id', '=', value('userId'))
    .where('deleted_at', 'is', null),
)

async function runWaiting(db: Database, userId: string, users: Map<string, WaitingChange[]>): Promise<void> {
  for (let queue = users.get(userId); queue && queue.length > 0; queue = users.get(userId)) {
    const together = queue.splice(0, MAX_TOGETHER)
    const outcomes = await runTogether(db, userId, together)
    noteNewNames(db, userId)
    for (const [index, { resolve, reject }] of together.entries()) {
      const outcome = outcomes[index] as Outcome
      if ('error' in outcome) reject(outcome.error)
      else resolve(outcome.value as never)
    }
  }
  users.delete(userId)
}

async function runTogether(db: Database, userId: string, together: readonly WaitingChange[]): Promise<Outcome[]> {
  try {
    return await db.transaction().execute(async (tx) => {
      await lockTree(tx, userId)
      const outcomes: Outcome[] = []
      for (const { change } of together) {
        // Alone it needs no savepoint: when it fails, so does the transaction.
        outcomes.push(together.length === 1 ? { value: await change(tx) } : await runBehindSavepoint(tx, change))
      }
      return outcomes
    })
  } catch (error) {
    return together.map(() => ({ error }))
  }
}

async function runBehindSavepoint(tx: Tx, change: Change): Promise<Outcome> {
  await sql`savepoint one_change`.execute(tx)
  try {
    const value = await change(tx)
    await sql`release savepoint one_change`.execute(tx)
    return { value }
  } catch (error) {
    try {
      await sql`rollback to savepoint one_change`.execute(tx)
      await sql`release savepoint one_change`.execute(tx)
    } catch {
      // Of what has gone wrong here all of the transaction has been given up: on a full disk SQLite does so.
      throw error
    }
    return { error }
  }
}
