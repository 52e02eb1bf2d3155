// SURPRISE: frequent queries are compiled once, with named places for their values, instead of being built for each run.
// PostgreSQL plans them once per connection.
// Measured: building a query in Kysely costs as much as running it (docs/decisions/004-speed-where-it-is-measured.md), and so does
// planning one in PostgreSQL: the look-up of a session takes 0.1 ms instead of 0.7.
// Remove it when: Kysely caches compiled queries. Use it only for what runs with every small upload or every request.

import { CompiledQuery, type QueryResult } from 'kysely'
import type { Database, Tx } from './database.ts'
import { isPostgres } from './portable-sql.ts'
import { letPrepare } from './prepared-statements.ts'
import { type Hint, LATER, type TakeRows, withHints, withTaker } from './statement-hints.ts'

/** A placeholder in a query for a value that each run supplies. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Creates a placeholder by the name of its value. */
export type Value<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name]

type Build<Values, Row> = (db: Database, value: Value<Values>) => { compile(): CompiledQuery<Row> }

/** Builds and compiles a query once and returns a function that runs it with values. */
export function prepareQuery<Values extends object, Row>(
  build: Build<Values, Row>,
): (db: Database, values: Values) => Promise<QueryResult<Row>> {
  const compile = compileOnce(build)
  return (db, values) => db.executeQuery<Row>(compile(db, values))
}

/**
 * Like `prepareQuery`, for a statement whose result nobody waits for. PostgreSQL gets it together with the next statement of the
 * transaction. `take` gets its rows before that one returns, and before a commit is sent. If the statement fails, or `take`
 * throws, the next one throws the error, and what began before can only be rolled back. SQLite runs it at once.
 */
export function prepareAhead<Values extends object, Row>(
  build: Build<Values, Row>,
  ...hints: Hint[]
): (tx: Tx, values: Values, take?: TakeRows<Row>) => Promise<void> {
  const compile = compileOnce(build, ['sentAhead', ...hints])
  return async (tx, values, take) => {
    const query = compile(tx, values)
    const result = await tx.executeQuery<Row>(take ? withTaker(query, take) : query)
    if (result !== LATER) take?.(result.rows)
  }
}

/** Waits for the statements of a transaction that were sent ahead, and throws what the first of them threw. */
export async function awaitAhead(tx: Tx): Promise<void> {
  if (isPostgres(tx)) await tx.executeQuery(NOTHING)
}

const NOTHING = CompiledQuery.raw('select 1')

/** Returns a function that fills values into the query, which is built on first use. */
function compileOnce<Values extends object, Row>(
  build: Build<Values, Row>,
  hints: Hint[] = [],
): (db: Database, values: Values) => CompiledQuery<Row> {
  // One per class of the adapter: SQLite and PostgreSQL have different texts.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (db, values) => {
    const dialect = db.getExecutor().adapter.constructor
    let query = compiled.get(dialect)
    if (!query) {
      query = build(db, (name) => new Parameter(name) as never).compile()
      if (hints.length > 0) query = withHints(query, ...hints)
      compiled.set(dialect, query)
      letPrepare(query.sql)
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof Values] : value,
    )
    return { ...query, parameters }
  }
}

/**
 * Runs a query that PostgreSQL plans once per connection. Only for statements that are run often and have few different
 * texts: each text stays in memory, and at each connection.
 */
export async function executePlanned<Row>(
  db: Database,
  query: { compile(db: Database): CompiledQuery<Row> },
): Promise<Row[]> {
  const compiled = query.compile(db)
  letPrepare(compiled.sql)
  return (await db.executeQuery(compiled)).rows
}
