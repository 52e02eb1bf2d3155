import type { CompiledQuery } from 'kysely'
import type { Database, Tx } from '../../platform/db/database.ts'
import { prepareAhead, prepareQuery, type Value } from '../../platform/db/prepared-query.ts'

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

/**
 * Prepares a statement that returns one row, or none if it did nothing. Its function gives the row to `take`, and returns whether there
 * was one. Changes that run at once expect it, and don't wait for the answer.
 */
export function prepareExpected<Values extends object, Row>(
  build: (db: Database, value: Value<Values>) => { compile(): CompiledQuery<Row> },
): (tx: Tx, values: Values, take?: (row: Row) => void) => Promise<boolean> {
  const now = prepareQuery(build)
  const ahead = prepareAhead(build)
  return async (tx, values, take) => {
    if (!runsAtOnce(tx)) {
      const [row] = (await now(tx, values)).rows
      if (row) take?.(row)
      return row !== undefined
    }
    await ahead(tx, values, ([row]) => {
      if (!row) throw new NotAsExpected()
      take?.(row)
    })
    return true
  }
}
