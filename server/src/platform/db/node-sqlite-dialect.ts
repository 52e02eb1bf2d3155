// SURPRISE: commits are synced outside SQLite, many at once (group commit, docs/decisions/003-durable-commits-in-sqlite.md).
// With `synchronous = full` SQLite syncs each commit on the event loop, one after the other. With `normal` a power cut can lose
// commits that were acknowledged. So the mode is `normal`, and the dialect syncs the log itself before the writer continues.
// Measured: 14,600 durable inserts a second from six writers, on a disk where one sync takes 0.16 ms.
// Remove it when: `node:sqlite` can sync commits off the event loop.

import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { SharedSync } from '../concurrency.ts'
import { availableMemory, hasLittleMemory } from '../processes/operating-system.ts'
import { Checkpointer } from './checkpointer.ts'
import { createWalDatabase } from './create-wal-database.ts'

/**
 * Creates a Kysely dialect for Node's own SQLite: one connection, cached prepared statements, and commits that are durable
 * before they are acknowledged.
 */
export function createSqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => new SerializingAdapter(),
    createDriver: () => new NodeSqliteDriver(path),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** The driver itself serializes access to its one connection, so Kysely must not hold it any longer. */
class SerializingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** All steps of a migration or none: a server that dies in the middle leaves the tables as they were. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class NodeSqliteDriver implements Driver {
  readonly #path: string
  #database!: DatabaseSync
  #connection!: NodeSqliteConnection
  #log!: SharedSync
  #checkpointer!: Checkpointer
  #turn: Promise<void> = Promise.resolve()
  #endTurn: () => void = () => {}

  constructor(path: string) {
    this.#path = path
  }

  async init(): Promise<void> {
    createWalDatabase(this.#path, 'pragma auto_vacuum = incremental')
    this.#database = new DatabaseSync(this.#path, { timeout: 5000 })
    // In WAL mode with `synchronous = normal` a commit is written but not synced. `SharedSync` syncs it off the event loop,
    // once for all commits that wait, before the caller continues. A thread writes the log back. Only a log of 64 MB makes the
    // connection itself write what is left, after which the log begins anew.
    this.#database.exec(`
      pragma synchronous = normal; pragma foreign_keys = on;
      pragma cache_size = -${cacheKibibytes()}; pragma mmap_size = ${mappedBytes()}; pragma temp_store = memory;
      pragma wal_autocheckpoint = 16000; pragma journal_size_limit = 67108864`)
    this.#connection = new NodeSqliteConnection(this.#database)
    this.#log = new SharedSync(`${this.#path}-wal`, { isDataOnly: true })
    this.#checkpointer = new Checkpointer(this.#path, this.#database)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const previous = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    await previous
    this.#endTurn = resolve
    return this.#connection
  }

  /** Releases the connection before waiting for the sync, so that several commits share one. */
  async releaseConnection(): Promise<void> {
    const hasWritten = this.#connection.takeHasWritten()
    if (hasWritten) this.#checkpointer.noteCommit()
    this.#endTurn()
    if (hasWritten) await this.#log.sync()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // On a full or broken disk SQLite has rolled back already. Doing so again would hide the cause.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
    this.#connection.takeHasWritten()
  }

  async destroy(): Promise<void> {
    await this.#log.close()
    await this.#checkpointer.close()
    this.#database.close()
  }
}

const MAX_STATEMENTS = 500

interface PreparedStatement {
  statement: StatementSync
  /** Absent if the statement returns no rows. */
  toRow: ToRow | undefined
  /** Changes nothing, so there is nothing to sync. */
  isReading: boolean
  /** Changes tables, and with them what other statements return. */
  isDefining: boolean
}

type ToRow = (values: Values) => Record<string, SQLOutputValue>
type Values = readonly SQLOutputValue[]

/**
 * Lets a statement return its rows as lists, and returns a function that makes objects of them. Those that `node:sqlite` makes are
 * hash tables: reading their properties takes five times as long, and copying one a hundred times.
 */
function readLists(statement: StatementSync): ToRow {
  statement.setReturnArrays(true)
  const columns = statement.columns().map(({ name }) => name)
  // A copy has the properties at fixed places, like an object that is written out in the source.
  const empty = { ...Object.fromEntries(columns.map((name) => [name, null])) }
  return (values) => {
    const row: Record<string, SQLOutputValue> = { ...empty }
    for (let index = 0; index < columns.length; index += 1) {
      row[columns[index] as string] = values[index] as SQLOutputValue
    }
    return row
  }
}

/**
 * Guesses from the text of a statement whether it writes, since SQLite's statements don't say. In doubt it does, which only
 * costs a sync.
 */
function isReading(sql: string): boolean {
  return /^\s*(select|with)\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql)
}

const KIBIBYTE = 1024
const MAX_CACHE = 64 * 1024 * KIBIBYTE

const MAX_MAPPED = 256 * 1024 * KIBIBYTE

/**
 * Returns how much of the database is mapped into memory. Nothing with little memory: with a mapped page that isn't in its cache, the
 * system reads those around it, too. A list of 100,000 files read 11 GB that way in a control group of 100 MiB, instead of 0.1 GB.
 */
function mappedBytes(): number {
  return hasLittleMemory() ? 0 : MAX_MAPPED
}

/** Returns how much of the database stays in memory. Pages that nothing has changed are read from the system's cache. */
function cacheKibibytes(): number {
  return Math.floor(Math.min(MAX_CACHE, availableMemory() / 16) / KIBIBYTE)
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, PreparedStatement>()
  #hasWritten = false

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, toRow, isReading, isDefining } = this.#prepare(compiled.sql)
    const parameters = compiled.parameters as SQLInputValue[]
    if (!isReading) this.#hasWritten = true
    if (toRow) return { rows: (statement.all(...parameters) as unknown as Values[]).map(toRow) as Row[] }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    if (isDefining) this.#statements.clear()
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  async *streamQuery<Row>(compiled: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    // A new statement: a cached one could be run again while this one is still being read.
    const statement = this.#database.prepare(compiled.sql)
    const toRow = readLists(statement)
    const rows = statement.iterate(...(compiled.parameters as SQLInputValue[])) as Iterable<unknown>
    for (const values of rows) yield { rows: [toRow(values as Values) as Row] }
  }

  /** Returns whether anything was written since the last call. */
  takeHasWritten(): boolean {
    const hasWritten = this.#hasWritten
    this.#hasWritten = false
    return hasWritten
  }

  #prepare(sql: string): PreparedStatement {
    const kept = this.#statements.get(sql)
    if (kept) return kept
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear()
    const statement = this.#database.prepare(sql)
    // `incremental_vacuum` returns a row without columns for each page, and `run` would end it after the first.
    const returnsRows = statement.columns().length > 0 || sql.startsWith('pragma ')
    const prepared = {
      statement,
      toRow: returnsRows ? readLists(statement) : undefined,
      isReading: isReading(sql),
      isDefining: /^\s*(create|alter|drop)\b/i.test(sql),
    }
    this.#statements.set(sql, prepared)
    return prepared
  }
}
