import type { Database, Tx } from '../../platform/db/database.ts'

/**
 * Changes that run at once, one after the other in a transaction without savepoints, expect that all of them succeed: they look up the
 * same folder once, and let PostgreSQL answer them together. If one fails, all are rolled back and run again, each for itself
 * (`changeTree`).
 */
const lookedUp = new WeakMap<Database, Map<string, Promise<unknown>>>()

/** Ends changes that run at once, because what one of them expected is not so. */
export class NotAsExpected extends Error {}

export function beginAtOnce(tx: Tx): void {
  lookedUp.set(tx, new Map())
}

export function runsAtOnce(db: Database): boolean {
  return lookedUp.has(db)
}

/**
 * Returns the result of `lookUp`, or of an earlier one with the same key if the changes run at once. For what none of the changes that
 * may run at once changes: the place of a folder.
 */
export function lookUpOnce<T>(db: Database, key: string, lookUp: () => Promise<T>): Promise<T> {
  const known = lookedUp.get(db)
  if (!known) return lookUp()
  const result = (known.get(key) as Promise<T> | undefined) ?? lookUp()
  known.set(key, result)
  return result
}
