import type { CompiledQuery, QueryResult } from 'kysely'

/**
 * What the driver of PostgreSQL may do with a statement. Other drivers ignore it.
 * - `sentAhead`: nobody waits for the result. It is sent together with the next statement of the transaction.
 * - `mayFollowBegin`: it does no harm outside a transaction, so it needn't wait until one has begun.
 */
export type Hint = 'sentAhead' | 'mayFollowBegin'

/** Gets the rows of a statement that was sent ahead, before the next one returns. What it throws, the next one throws. */
export type TakeRows<Row> = (rows: Row[]) => void

const HINTS = Symbol('hints')
const TAKE = Symbol('take')

/** What a statement returns that was sent ahead: its own result comes with that of the next one. */
export const LATER: QueryResult<never> = { rows: [] }

export function withHints<Row>(query: CompiledQuery<Row>, ...hints: Hint[]): CompiledQuery<Row> {
  return Object.assign({ ...query }, { [HINTS]: hints })
}

export function hasHint(query: CompiledQuery & { [HINTS]?: Hint[] }, hint: Hint): boolean {
  return query[HINTS]?.includes(hint) ?? false
}

/** Lets `take` get the rows of a statement that is sent ahead. Before that, no transaction is committed. */
export function withTaker<Row>(query: CompiledQuery<Row>, take: TakeRows<Row>): CompiledQuery<Row> {
  return Object.assign({ ...query }, { [TAKE]: take })
}

export function takerOf<Row>(query: CompiledQuery<Row> & { [TAKE]?: TakeRows<Row> }): TakeRows<Row> | undefined {
  return query[TAKE]
}
