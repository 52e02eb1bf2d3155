// SURPRISE: a test app fails if a statement of a call reads the items or versions of all users. It patches the database drivers and has
// the database explain each statement that calls made.
// It prevents slow statements: with the few rows of a test, a full scan isn't noticeable in any measured time.
// Remove it when: the databases can refuse such scans themselves.

import { AsyncLocalStorage } from 'node:async_hooks'
import { StatementSync } from 'node:sqlite'
import type { FastifyInstance } from 'fastify'
import { CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import type { Services } from '../../context.ts'
import { type Database, engineOf } from '../../platform/db/database.ts'
import type { Engine } from '../../platform/db/tables.ts'

type Needed = Pick<Services, 'db' | 'config'>

/** Set while a call is processed. Statements of tests, commands and migrations may scan all items. */
const calls = new AsyncLocalStorage<true>()
/** The statements on items and versions that calls have executed in this process, and those of them that were already checked. */
const executed = { sqlite: new Set<string>(), postgres: new Set<string>() }
const checked = new Set<string>()

/** Starts to record the statements of calls that tests make to this app. */
export function recordStatements(app: FastifyInstance): void {
  watchDrivers()
  const inject = app.inject.bind(app) as (...given: unknown[]) => unknown
  // `inject` sends the request only when its result is awaited.
  app.inject = ((...given: unknown[]) => calls.run(true, async () => inject(...given))) as FastifyInstance['inject']
}

let isWatching = false

/** The statements that this process executed last on SQLite, newest last. They tell what a test that hangs is waiting for. */
export const lastStatements: string[] = []

function watchDrivers(): void {
  if (isWatching) return
  isWatching = true
  for (const name of ['all', 'run', 'iterate'] as const) {
    const original = StatementSync.prototype[name] as (...given: unknown[]) => unknown
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...given: unknown[]) {
        record('sqlite', this.sourceSQL)
        lastStatements.push(this.sourceSQL)
        if (lastStatements.length > 8) lastStatements.shift()
        return original.apply(this, given)
      },
    })
  }
  const original = pg.Client.prototype.query as (...given: unknown[]) => unknown
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...given: unknown[]) {
      const [query] = given as [string | { text?: string }]
      record('postgres', typeof query === 'string' ? query : (query.text ?? ''))
      return original.apply(this, given)
    },
  })
}

/** Returns how many statements on items and versions are executed by the calls that `work` makes. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const counter = { statements: 0 }
  await counting.run(counter, work)
  return counter.statements
}

const counting = new AsyncLocalStorage<{ statements: number }>()

function record(engine: Engine, text: string): void {
  if (!calls.getStore()) return
  // This also sees the other databases of this process, those of the blobs and of the sandbox, but they have neither.
  if (!/^\s*(select|with|insert|update|delete)\b.*\b(items|versions)\b/is.test(text)) return
  executed[engine].add(text)
  const counter = counting.getStore()
  if (counter) counter.statements += 1
}

/**
 * Returns the statements recorded since the last call that scan the items or versions of all users, or a whole index. On PostgreSQL,
 * these are statements that can't use an index, because it always scans tables of a few rows.
 */
export async function findItemScans({ db, config }: Needed): Promise<string[]> {
  const found: string[] = []
  const engine = engineOf(config)
  const unknown = [...executed[engine]].filter((text) => !checked.has(text))
  for (const text of unknown) checked.add(text)
  if (unknown.length === 0 || (engine === 'postgres' && !(await canExplain(db)))) return found
  for (const text of unknown) {
    const isScan = engine === 'sqlite' ? await scansOnSqlite(db, text) : await scansOnPostgres(db, text)
    if (isScan) found.push(text)
  }
  return found
}

/** Returns whether the server can plan a statement without its parameters: PostgreSQL 16 and newer. */
async function canExplain(db: Database): Promise<boolean> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
  return Number(rows[0]?.server_version_num) >= 160_000
}

async function scansOnSqlite(db: Database, text: string): Promise<boolean> {
  // The plan names the table by its alias.
  const names = [...text.matchAll(/\b(?:items|versions)"?\s+(?:as\s+)?"?(\w+)/gi)].map(([, name]) => name)
  const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text}`))
  return rows.some(({ detail }) => {
    const [, table] = /^SCAN (\w+)/.exec(detail) ?? []
    return table !== undefined && ['items', 'versions', ...names].includes(table)
  })
}

async function scansOnPostgres(db: Database, text: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await tx.executeQuery<Record<string, string>>(CompiledQuery.raw(`explain (generic_plan) ${text}`))
    return rows.some((row) => /Seq Scan on (items|versions)\b/.test(row['QUERY PLAN'] ?? ''))
  })
}
