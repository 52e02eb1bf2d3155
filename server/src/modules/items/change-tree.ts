// SURPRISE: concurrent changes of one user share a transaction, each behind a savepoint. So ten thousand small files don't take
// ten thousand commits, and a failed change doesn't affect the others (docs/decisions/001-one-table-of-items.md). Uploads first run
// without savepoints, and behind them only if one has failed (docs/decisions/047-uploads-at-once.md).
// Measured on SQLite: storing a name takes 70 microseconds of processor time in a transaction of six, and 128 in one of its
// own (docs/decisions/005-search.md).
// Remove it when: a commit costs little compared with the statements of a change.

import { CompiledQuery } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { awaitAhead, prepareAhead, type Value } from '../../platform/db/prepared-query.ts'
import { withHints } from '../../platform/db/statement-hints.ts'
import { noteNewNames } from '../search/index.ts'
import { countNoted, forgetActivity } from './activity/note-activity.ts'
import { beginAtOnce } from './at-once.ts'
import { noteTreeState } from './tree-state.ts'
import { noteRaise, restoreVersion, type TreeContext, transactFor, versionColumns, versionIn } from './tree-version.ts'

type Services = Pick<TreeContext, 'db' | 'events'>
type Change = (tx: Tx) => Promise<unknown>
type Outcome = { value: unknown } | { error: unknown }

interface WaitingChange {
  user: TreeContext['user']
  change: Change
  mayRunAgain: boolean
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/** The maximum number of changes per transaction, which holds SQLite's only connection while it runs. */
const MAX_TOGETHER = 32

/** The first one waits for the lock: if that is refused, so are all changes, not only the first. */
const FIRST_SAVEPOINT = withHints(CompiledQuery.raw('savepoint one_change'), 'mayFollowBegin')
const SAVEPOINT = withHints(CompiledQuery.raw('savepoint one_change'), 'sentAhead')
const RELEASE = CompiledQuery.raw('release savepoint one_change')
const ROLL_BACK = CompiledQuery.raw('rollback to savepoint one_change')

/** The waiting changes, by database and user. */
const waiting = new WeakMap<Database, Map<string, WaitingChange[]>>()

/**
 * Runs a change of a user's trees in a transaction, one at a time per user: increasing the version locks the user's row
 * before the first statement of the change. So two moves cannot create a cycle, nothing is added to a folder while it is
 * being trashed, and locks are always taken in the same order. Changes that arrive while another one of the same user runs
 * wait, and then share one transaction and one sync, each behind a savepoint, so that a failed change does not affect the
 * others. `change` may only run database statements: meanwhile no other change of this user, and on SQLite no other
 * statement at all, can run. After the commit, the user's other tabs are told. With `mayRunAgain`, `change` does nothing but add
 * items, may be run again after a rollback, and may use `lookUpOnce`.
 */
export function changeTree<T>(
  { db, events, user }: TreeContext,
  change: (tx: Tx) => Promise<T>,
  { mayRunAgain = false } = {},
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const users = waiting.get(db) ?? new Map<string, WaitingChange[]>()
  waiting.set(db, users)
  const queue = users.get(user.id)
  if (queue) {
    queue.push({ user, change, mayRunAgain, resolve, reject })
  } else {
    users.set(user.id, [{ user, change, mayRunAgain, resolve, reject }])
    // Runs after everything else that is ready, so that changes that arrive together share a transaction.
    setImmediate(() => void runWaiting({ db, events }, user.id, users))
  }
  return promise
}

/**
 * Locks a user's trees until the transaction ends, and increases the version by which other devices notice changes. If the account
 * has been deleted, the next statement throws 'not found'.
 */
export async function lockTree(tx: Tx, userId: string): Promise<void> {
  await raiseVersion(tx, { userId }, ([user]) => {
    if (!user) throw notFound('item')
    noteTreeState(tx, userId, user)
    noteRaise(tx, userId, user)
  })
}

/** Outside a transaction, it would only make other devices look for changes. */
const raiseVersion = prepareAhead(
  (db, value: Value<{ userId: string }>) =>
    db
      .updateTable('users')
      .set((eb) => ({ tree_version: eb('tree_version', '+', 1) }))
      .where('id', '=', value('userId'))
      .where('deleted_at', 'is', null)
      .returning(['locked_until', 'followed_since', ...versionColumns]),
  'mayFollowBegin',
)

async function runWaiting(services: Services, userId: string, users: Map<string, WaitingChange[]>): Promise<void> {
  for (let queue = users.get(userId); queue && queue.length > 0; queue = users.get(userId)) {
    const together = queue.splice(0, MAX_TOGETHER)
    const outcomes = (await runAtOnce(services, userId, together)) ?? (await runTogether(services, userId, together))
    noteNewNames(services.db, userId)
    for (const [index, { resolve, reject }] of together.entries()) {
      const outcome = outcomes[index] as Outcome
      if ('error' in outcome) reject(outcome.error)
      else resolve(outcome.value as never)
    }
  }
  users.delete(userId)
}

/** Runs changes in a transaction without savepoints. Returns undefined if they can't, or one of them failed and all were rolled back. */
async function runAtOnce(
  services: Services,
  userId: string,
  together: readonly WaitingChange[],
): Promise<Outcome[] | undefined> {
  if (together.length === 1 || !together.every(({ mayRunAgain }) => mayRunAgain)) return undefined
  let isReadyToCommit = false
  try {
    return await transactFor(services, usersOf(together), async (tx) => {
      beginAtOnce(tx)
      await lockTree(tx, userId)
      const outcomes: Outcome[] = []
      for (const { change } of together) outcomes.push({ value: await change(tx) })
      await awaitAhead(tx)
      isReadyToCommit = true
      return outcomes
    })
  } catch (error) {
    // The commit may have succeeded although its answer was lost.
    return isReadyToCommit ? together.map(() => ({ error })) : undefined
  }
}

async function runTogether(services: Services, userId: string, together: readonly WaitingChange[]): Promise<Outcome[]> {
  try {
    return await transactFor(services, usersOf(together), async (tx) => {
      await lockTree(tx, userId)
      const outcomes: Outcome[] = []
      for (const [index, { change }] of together.entries()) {
        // A single change needs no savepoint: if it fails, so does the transaction.
        if (together.length > 1) await tx.executeQuery(index === 0 ? FIRST_SAVEPOINT : SAVEPOINT)
        outcomes.push(
          together.length === 1 ? { value: await change(tx) } : await runBehindSavepoint(tx, userId, change),
        )
      }
      return outcomes
    })
  } catch (error) {
    return together.map(() => ({ error }))
  }
}

function usersOf(together: readonly WaitingChange[]): TreeContext['user'][] {
  return together.map(({ user }) => user)
}

async function runBehindSavepoint(tx: Tx, userId: string, change: Change): Promise<Outcome> {
  const version = versionIn(tx, userId)
  const noted = countNoted(tx)
  try {
    const value = await change(tx)
    await tx.executeQuery(RELEASE)
    return { value }
  } catch (error) {
    try {
      await tx.executeQuery(ROLL_BACK)
      await tx.executeQuery(RELEASE)
      restoreVersion(tx, userId, version)
      forgetActivity(tx, noted)
    } catch {
      // The failure rolled back the whole transaction, as SQLite does when the disk is full.
      throw error
    }
    return { error }
  }
}
