// SURPRISE: a test app fails when a call's statement reads the items of all users. It watches the database drivers and asks the
// database to explain each statement that calls made.
// It guards speed and gains none itself: with the few rows of a test, a full scan shows in no timing.
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

/** What is done for a call. Statements of tests themselves, of commands and of migrations may read what they like. */
const calls = new AsyncLocalStorage<true>()
/** The statements on items that calls have made in this process, and those of them that have been looked at. */
const made = { sqlite: new Set<string>(), postgres: new Set<string>() }
const known = new Set<string>()

/** From now on the statements of calls that tests make to this app are noted. */
export function noteStatements(app: FastifyInstance): void {
  watchDrivers()
  const inject = app.inject.bind(app) as (...given: unknown[]) => unknown
  // A request is made when its answer is waited for.
  app.inject = ((...given: unknown[]) => calls.run(true, async () => inject(...given))) as FastifyInstance['inject']
}

let isWatching = false

function watchDrivers(): void {
  if (isWatching) return
  isWatching = true
  for (const name of ['all', 'run', 'iterate'] as const) {
    const original = StatementSync.prototype[name] as (...given: unknown[]) => unknown
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...given: unknown[]) {
        note('sqlite', this.sourceSQL)
        return original.apply(this, given)
      },
    })
  }
  const original = pg.Client.prototype.query as (...given: unknown[]) => unknown
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...given: unknown[]) {
      const [query] = given as [string | { text?: string }]
      note('postgres', typeof query === 'string' ? query : (query.text ?? ''))
      return original.apply(this, given)
    },
  })
}

function note(engine: Engine, text: string): void {
  if (!calls.getStore()) return
  // Other databases of this process are seen too: those of the blobs and of the sandbox have no items.
  if (/^\s*(select|with|insert|update|delete)\b.*\bitems\b/is.test(text)) made[engine].add(text)
}

/**
 * The statements noted since this was last asked that go through all items of all users, or through an index from end to
 * end: on PostgreSQL those for which there is no other way, since tables of a few rows are always read whole.
 */
export async function findItemScans({ db, config }: Needed): Promise<string[]> {
  const found: string[] = []
  const engine = engineOf(config)
  const unknown = [...made[engine]].filter((text) => !known.has(text))
  for (const text of unknown) known.add(text)
  if (unknown.length === 0 || (engine === 'postgres' && !(await canExplain(db)))) return found
  for (const text of unknown) {
    const isScan = engine === 'sqlite' ? await scansOnSqlite(db, text) : await scansOnPostgres(db, text)
    if (isScan) found.push(text)
  }
  return found
}

/** PostgreSQL plans a statement without its values from version 16 on. */
async function canExplain(db: Database): Promise<boolean> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
  return Number(rows[0]?.server_version_num) >= 160_000
}

async function scansOnSqlite(db: Database, text: string): Promise<boolean> {
  // By whatever name it calls the table there.
  const names = [...text.matchAll(/\bitems"?\s+(?:as\s+)?"?(\w+)/gi)].map(([, name]) => name)
  const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text}`))
  return rows.some(({ detail }) => {
    const [, table] = /^SCAN (\w+)/.exec(detail) ?? []
    return table !== undefined && ['items', ...names].includes(table)
  })
}

async function scansOnPostgres(db: Database, text: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await tx.executeQuery<Record<string, string>>(CompiledQuery.raw(`explain (generic_plan) ${text}`))
    return rows.some((row) => /Seq Scan on items\b/.test(row['QUERY PLAN'] ?? ''))
  })
}
