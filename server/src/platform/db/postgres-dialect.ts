// SURPRISE: some statements of a transaction are sent together with the next one, and nobody waits for their own answers.
// Measured: a small file waited for eleven answers of PostgreSQL one after the other, and waits for four with this
// (docs/decisions/046-fewer-answers-to-wait-for.md).
// Remove it when: Kysely sends the statements of a transaction without waiting for each other's answers.

import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { preparing } from './prepared-statements.ts'
import { hasHint, LATER, takerOf, withHints } from './statement-hints.ts'

/** The name of our connections in PostgreSQL. */
export const APPLICATION = 'alcove'

/** Creates a Kysely dialect for PostgreSQL that prepares statements (`letPrepare`) and sends some ahead (`prepareAhead`). */
export function createPostgresDialect(connectionString: string): PostgresDialect {
  return new AheadDialect({ pool: () => openPool(connectionString) })
}

/** The driver is loaded only if PostgreSQL is used. */
async function openPool(connectionString: string): Promise<pg.Pool> {
  const { default: driver } = await import('pg')
  // The driver returns bigint as text to keep its precision. Our sizes and times are far below 2^53.
  driver.types.setTypeParser(driver.types.builtins.INT8, Number)
  const pool = new driver.Pool({
    Client: preparing(driver.Client),
    connectionString,
    application_name: APPLICATION,
    max: 20,
    connectionTimeoutMillis: 10_000,
    // A statement is sent although an earlier one of its connection has not been answered.
    pipeline: true,
  })
  // The pool replaces a connection that dies while idle. Without a listener the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // Nobody waits for it: the connection runs it before the statement that it was opened for.
    void client.query(ALONG_INDEXES).catch(() => {})
  })
  return pool
}

/**
 * SURPRISE: PostgreSQL reads a table from end to end, or collects places in it, only where there is no other way. By itself it takes
 * tables that were empty when it last looked for short, and keeps a plan for them, also in the checks of foreign keys. After many
 * deletions it takes the empty pages of an index for full ones.
 * Measured: docs/decisions/048-postgresql-along-indexes.md
 * Remove it when: PostgreSQL plans anew once a table has grown, without waiting for autovacuum.
 */
const ALONG_INDEXES = 'set enable_seqscan = off; set enable_bitmapscan = off; set jit = off'

class AheadDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new AheadDriver(this.#config)
  }
}

type Settings = Parameters<Driver['beginTransaction']>[1]

const BEGIN = withHints(CompiledQuery.raw('begin'), 'sentAhead', 'mayFollowBegin')

class AheadDriver extends PostgresDriver {
  readonly #known = new WeakSet<DatabaseConnection>()

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    if (!this.#known.has(connection)) sendSomeAhead(connection)
    this.#known.add(connection)
    return connection
  }

  override async beginTransaction(connection: DatabaseConnection, settings: Settings): Promise<void> {
    if (settings.isolationLevel || settings.accessMode) await super.beginTransaction(connection, settings)
    else await connection.executeQuery(BEGIN)
  }
}

/** Lets a connection keep statements that are to be sent ahead until the next one comes. */
function sendSomeAhead(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection)
  let waiting: CompiledQuery[] = []

  connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    if (hasHint(query, 'sentAhead')) {
      waiting.push(query)
      return LATER
    }
    let ahead = waiting
    waiting = []
    if (ahead.length === 0) return execute<Row>(query)
    if (ahead[0] === BEGIN && ![...ahead, query].every(mayFollowBegin)) {
      // Outside the transaction, they would be kept even if it can't begin.
      await execute(BEGIN)
      ahead = ahead.slice(1)
    }
    if (keepsChanges(query) && ahead.some(takerOf)) {
      // What takes the rows may still refuse.
      await executeTogether(ahead)
      ahead = []
    }
    return executeTogether<Row>(ahead, query)
  }

  /** PostgreSQL runs them in order. After one that fails, it refuses all but a rollback. Returns the result of the last. */
  async function executeTogether<Row>(
    ahead: readonly CompiledQuery[],
    query?: CompiledQuery,
  ): Promise<QueryResult<Row>> {
    const all = query ? [...ahead, query] : ahead
    const outcomes = await Promise.allSettled(all.map((one) => execute<Row>(one)))
    let result: QueryResult<Row> = LATER
    for (const [index, outcome] of outcomes.entries()) {
      const one = all[index] as CompiledQuery
      if (query && isRollback(query) && one !== query) continue
      if (outcome.status === 'rejected') throw outcome.reason
      result = outcome.value
      if (one !== query) takerOf(one)?.(result.rows)
    }
    return result
  }
}

function mayFollowBegin(query: CompiledQuery): boolean {
  return hasHint(query, 'mayFollowBegin') || /^select\b/i.test(query.sql)
}

function keepsChanges({ sql }: CompiledQuery): boolean {
  return /^(commit|release)\b/i.test(sql)
}

function isRollback({ sql }: CompiledQuery): boolean {
  return /^rollback\b/i.test(sql)
}
