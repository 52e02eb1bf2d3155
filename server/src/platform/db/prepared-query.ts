import type { CompiledQuery, QueryResult } from 'kysely'
import type { Database } from './database.ts'

/** Stands in a query for a value that each run brings. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Names the value that each run brings to a place of the query. */
export type Value<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name]

type Build<Values, Row> = (db: Database, value: Value<Values>) => { compile(): CompiledQuery<Row> }

/**
 * A query that is built and compiled once, and then only run with other values. For what runs thousands of times a
 * second: building a query costs as much as running it.
 */
export function prepareQuery<Values extends object, Row>(
  build: Build<Values, Row>,
): (db: Database, values: Values) => Promise<QueryResult<Row>> {
  // By the class of the adapter: SQLite and PostgreSQL write queries differently.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (db, values) => {
    const dialect = db.getExecutor().adapter.constructor
    let query = compiled.get(dialect)
    if (!query) {
      query = build(db, (name) => new Parameter(name) as never).compile()
      compiled.set(dialect, query)
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof Values] : value,
    )
    return db.executeQuery<Row>({ ...query, parameters })
  }
}
