// SURPRISE: frequent queries are compiled once, with named places for their values, instead of being built for each run.
// PostgreSQL plans them once per connection.
// Measured: building a query in Kysely costs as much as running it (docs/decisions/004-speed-where-it-is-measured.md), and so does
// planning one in PostgreSQL: the look-up of a session takes 0.1 ms instead of 0.7.
// Remove it when: Kysely caches compiled queries. Use it only for what runs with every small upload or every request.

import type { CompiledQuery, QueryResult } from 'kysely'
import type { Database, Tx } from './database.ts'
import { letPrepare } from './prepared-statements.ts'
import { type Hint, withHint } from './statement-hints.ts'

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
  hint?: Hint,
): (db: Database, values: Values) => Promise<QueryResult<Row>> {
  // One per class of the adapter: SQLite and PostgreSQL have different texts.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (db, values) => {
    const dialect = db.getExecutor().adapter.constructor
    let query = compiled.get(dialect)
    if (!query) {
      query = build(db, (name) => new Parameter(name) as never).compile()
      if (hint) query = withHint(query, hint)
      compiled.set(dialect, query)
      letPrepare(query.sql)
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof Values] : value,
    )
    return db.executeQuery<Row>({ ...query, parameters })
  }
}

/**
 * Like `prepareQuery`, for a statement whose result nobody needs. PostgreSQL gets it together with the next statement of the
 * transaction. If it fails, the next one throws its error, and what began before can only be rolled back. SQLite runs it at once.
 */
export function prepareAhead<Values extends object>(
  build: Build<Values, unknown>,
): (tx: Tx, values: Values) => Promise<void> {
  const run = prepareQuery(build, 'sentAhead')
  return async (tx, values) => void (await run(tx, values))
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
