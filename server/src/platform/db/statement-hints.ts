import type { CompiledQuery } from 'kysely'

/**
 * What the driver of PostgreSQL may do with a statement. Other drivers ignore it.
 * - `sentAhead`: nobody needs the result. It is sent together with the next statement of the transaction.
 * - `mayFollowBegin`: it does no harm outside a transaction, so it needn't wait until one has begun.
 * - `unanswered`: whether it succeeds matters to nobody, so nobody waits for it. The connection's next statement comes after it.
 */
export type Hint = 'sentAhead' | 'mayFollowBegin' | 'unanswered'

const HINT = Symbol('hint')

export function withHint<Row>(query: CompiledQuery<Row>, hint: Hint): CompiledQuery<Row> {
  return Object.assign({ ...query }, { [HINT]: hint })
}

export function hasHint(query: CompiledQuery, hint: Hint): boolean {
  return HINT in query && query[HINT] === hint
}
