import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Hidden, ObjectName, ObjectNamed } from './stripe-objects.ts'

/** A stored object: what the API returns, and the sandbox's own data about it. */
export interface Kept<Name extends ObjectName> {
  body: ObjectNamed<Name>
  hidden: Hidden[Name]
}

interface KeepOptions {
  /** The customer it belongs to. */
  customer?: string | null
  /** Another key it is found by: a price's lookup key, an invoice's subscription, a portal's token. */
  lookup?: string | null
  /** When it is due for processing, in seconds. */
  dueAt?: number | null
}

export interface ListQuery {
  customer?: string
  lookup?: string
}

/** The sandbox's state: Stripe's objects as JSON in one SQLite database. All calls are synchronous. */
export class Store {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #depth = 0

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: 5000 })
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full')
    this.#database.exec(SCHEMA)
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  /** Rolls back if `work` throws. A nested transaction is part of the outermost one. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    this.#database.exec('begin immediate')
    this.#depth++
    try {
      const result = work()
      this.#database.exec('commit')
      return result
    } catch (error) {
      this.#database.exec('rollback')
      throw error
    } finally {
      this.#depth--
    }
  }

  all<Row>(sql: string, ...parameters: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...parameters) as Row[]
  }

  get<Row>(sql: string, ...parameters: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...parameters) as Row | undefined
  }

  run(sql: string, ...parameters: SQLInputValue[]): void {
    this.#prepare(sql).run(...parameters)
  }

  /** Inserts or updates an object. Options that are left out keep their stored values. */
  keep<Name extends ObjectName>(body: ObjectNamed<Name>, hidden: Hidden[Name], options: KeepOptions = {}): void {
    this.run(
      `insert into objects (id, object, customer, lookup, due_at, body, hidden) values (?, ?, ?, ?, ?, ?, ?)
      on conflict (id) do update set body = excluded.body, hidden = excluded.hidden,
        customer = iif(?, excluded.customer, customer), lookup = iif(?, excluded.lookup, lookup),
        due_at = iif(?, excluded.due_at, due_at)`,
      body.id,
      body.object,
      options.customer ?? null,
      options.lookup ?? null,
      options.dueAt ?? null,
      JSON.stringify(body),
      JSON.stringify(hidden),
      Number(options.customer !== undefined),
      Number(options.lookup !== undefined),
      Number(options.dueAt !== undefined),
    )
  }

  find<Name extends ObjectName>(object: Name, id: string): Kept<Name> | undefined {
    const row = this.get<Row>('select body, hidden from objects where id = ? and object = ?', id, object)
    return row && parse(row)
  }

  /** Returns the object with this id, of any kind. */
  findAny(id: string): object | undefined {
    const row = this.get<Row>('select body, hidden from objects where id = ?', id)
    return row && JSON.parse(row.body)
  }

  findByLookup<Name extends ObjectName>(object: Name, lookup: string): Kept<Name> | undefined {
    return this.list(object, { lookup }, 1)[0]
  }

  /** Returns the newest objects first. */
  list<Name extends ObjectName>(object: Name, query: ListQuery = {}, limit = -1): Kept<Name>[] {
    const conditions = ['object = ?']
    const parameters: SQLInputValue[] = [object]
    for (const [column, value] of Object.entries(query)) {
      if (value === undefined) continue
      conditions.push(`${column} = ?`)
      parameters.push(value)
    }
    const where = conditions.join(' and ')
    return this.all<Row>(
      `select body, hidden from objects where ${where} order by sequence desc limit ?`,
      ...parameters,
      limit,
    ).map((row) => parse<Name>(row))
  }

  /** Returns the object that is due first, if it is due by this time. */
  nextDue(until: number): { object: ObjectName; id: string; dueAt: number } | undefined {
    return this.get(
      `select object, id, due_at as dueAt from objects where due_at is not null and due_at <= ?
      order by due_at, sequence limit 1`,
      until,
    )
  }

  getSetting(name: string): string | undefined {
    return this.get<{ value: string }>('select value from settings where name = ?', name)?.value
  }

  setSetting(name: string, value: string): void {
    this.run('insert into settings values (?, ?) on conflict (name) do update set value = excluded.value', name, value)
  }

  #prepare(sql: string): StatementSync {
    const kept = this.#statements.get(sql)
    if (kept) return kept
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

interface Row {
  body: string
  hidden: string
}

function parse<Name extends ObjectName>({ body, hidden }: Row): Kept<Name> {
  return { body: JSON.parse(body), hidden: JSON.parse(hidden) }
}

const SCHEMA = `
create table if not exists objects (
  sequence integer primary key autoincrement,
  id text not null unique,
  object text not null,
  customer text,
  lookup text,
  due_at integer,
  body text not null,
  hidden text not null
) strict;
create index if not exists objects_by_kind on objects (object, sequence);
create index if not exists objects_by_customer on objects (object, customer, sequence);
create index if not exists objects_by_lookup on objects (object, lookup, sequence);
create index if not exists objects_due on objects (due_at, sequence) where due_at is not null;
create unique index if not exists invoices_by_pdf on objects (hidden ->> 'pdfToken') where object = 'invoice';

create table if not exists events (
  sequence integer primary key autoincrement,
  id text not null unique,
  body text not null,
  attempts integer not null default 0,
  next_attempt_at integer
) strict;
create index if not exists events_due on events (next_attempt_at, sequence) where next_attempt_at is not null;

create table if not exists answers (
  key text primary key,
  fingerprint text not null,
  status integer not null,
  body text not null,
  created_at integer not null
) strict;
create index if not exists answers_by_age on answers (created_at);

create table if not exists settings (name text primary key, value text not null) strict;
`
