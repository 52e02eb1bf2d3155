import { INVALID_USERS_CURSOR, type ListedUser } from '@alcove/contract/admin-users'
import type { ParsedInputOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import { foldForSearch } from '@alcove/contract/search-text'
import type { UserSort, UserState } from '@alcove/contract/user-states'
import { type ExpressionBuilder, type ExpressionWrapper, type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isPostgres } from '../../../platform/db/portable-sql.ts'
import type { Tables, UserRow } from '../../../platform/db/tables.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'

/** What the list is sorted by. Users who were never seen are the oldest. */
const sortKeys: Readonly<Record<UserSort, RawBuilder<string | number>>> = {
  email: sql.ref('email'),
  usedBytes: sql.ref('used_bytes'),
  createdAt: sql.ref('created_at'),
  lastSeenAt: sql`coalesce(last_seen_at, 0)`,
}

export const listedColumns = [
  ...(['id', 'email', 'display_name', 'site_role', 'plan_id', 'plan_name', 'allocated_bytes', 'used_bytes'] as const),
  ...(['created_at', 'last_seen_at', 'activated_at', 'suspended_at', 'deletion_due_at'] as const),
] as const

type ListedRow = Pick<UserRow, (typeof listedColumns)[number]>

export const listUsers = endpoint(calls.listUsers, async ({ db }, input) => {
  const { sort, order, limit, cursor } = input
  const matching = filter(db, input)
  const key = sortKeys[sort]
  const after = cursor === undefined ? undefined : readCursor(cursor, sort)
  const compare = sql.raw(order === 'asc' ? '>' : '<')
  const page = db
    .selectFrom(matching.select(sortedColumns).$if(isScanned(db, input), asOneScan).as('users'))
    .select('id')
    .$if(after !== undefined, (rest) =>
      // An index can begin at the first condition.
      rest
        .where(sql<SqlBool>`${key} ${compare}= ${after?.key}`)
        .where(sql<SqlBool>`(${key}, id) ${compare} (${after?.key}, ${after?.id})`),
    )
    .orderBy(key, order)
    .orderBy('id', order)
    // Reads one more, to know whether there is another page.
    .limit(limit + 1)
  // Only the rows of the page are read whole, because searches and sorting pass over all users.
  const reading = db
    .selectFrom('users')
    .select(listedColumns)
    .select(key.as('sort_key'))
    .where('id', 'in', page)
    .orderBy(key, order)
    .orderBy('id', order)
    .execute()
  const [rows, total] = await Promise.all([reading, after === undefined ? countUsers(matching) : null])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    users: shown.map(presentUser),
    total,
    nextCursor: last && rows.length > limit ? writeCursor(last.sort_key, last.id) : null,
  }
})

const sortedColumns = ['id', 'email', 'used_bytes', 'created_at', 'last_seen_at'] as const

/**
 * Returns whether PostgreSQL must read the table in one scan. With a filter it would walk along the index of addresses to find the few
 * that match, and read the table in random order: among 100,000 users that takes several times as long. Other orders have no index.
 */
function isScanned(db: Database, { search, state, role, planId, sort }: ListInput): boolean {
  return isPostgres(db) && sort === 'email' && Boolean(search || state || role || planId !== undefined)
}

/** The planner doesn't look into a subquery with an offset. */
function asOneScan<Query extends { offset(count: number): Query }>(query: Query): Query {
  return query.offset(0)
}

type ListInput = ParsedInputOf<typeof calls.listUsers>
type Filter = Pick<ListInput, 'search' | 'state' | 'role' | 'planId'>

function filter(db: Database, { search, state, role, planId }: Filter) {
  let users = db.selectFrom('users').where('deleted_at', 'is', null)
  if (search) users = users.where(contains(db, search))
  if (state) users = users.where(states[state])
  if (role) users = users.where('site_role', '=', role)
  if (planId !== undefined) users = users.where('plan_id', '=', planId)
  return users
}

async function countUsers(matching: ReturnType<typeof filter>): Promise<number> {
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/** Addresses are stored in lower case, and names also as searches compare them: without case and accents. */
function contains(db: Database, search: string): RawBuilder<SqlBool> {
  const find = isPostgres(db) ? sql`strpos` : sql`instr`
  const inEmail = sql<SqlBool>`${find}(email, ${search.toLowerCase()}) > 0`
  const folded = foldForSearch(search)
  // Nothing is left of an accent alone, and nothing is found in every name.
  return folded === '' ? inEmail : sql`(${inEmail} or ${find}(display_name_folded, ${folded}) > 0)`
}

type Users = ExpressionBuilder<Tables, 'users'>

const states: Readonly<Record<UserState, (eb: Users) => ExpressionWrapper<Tables, 'users', SqlBool>>> = {
  deletion: (eb) => eb('deletion_due_at', 'is not', null),
  suspended: (eb) => eb.and([eb('suspended_at', 'is not', null), eb('deletion_due_at', 'is', null)]),
  unconfirmed: (eb) => eb.and([eb('activated_at', 'is', null), eb('suspended_at', 'is', null)]),
  active: (eb) => eb.and([eb('activated_at', 'is not', null), eb('suspended_at', 'is', null)]),
}

function stateOf({ activated_at, suspended_at, deletion_due_at }: ListedRow): UserState {
  if (deletion_due_at !== null) return 'deletion'
  if (suspended_at !== null) return 'suspended'
  return activated_at === null ? 'unconfirmed' : 'active'
}

export function presentUser(row: ListedRow): ListedUser {
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    state: stateOf(row),
    role: row.site_role,
    planId: row.plan_id,
    planName: row.plan_name,
    quota: row.allocated_bytes,
    usedBytes: row.used_bytes,
    createdAt: formatTime(row.created_at),
    lastSeenAt: timeOrNull(row.last_seen_at),
    deletionDueAt: timeOrNull(row.deletion_due_at),
  }
}

export function timeOrNull(time: number | null): string | null {
  return time === null ? null : formatTime(time)
}

function writeCursor(key: string | number, id: string): string {
  return Buffer.from(JSON.stringify([key, id])).toString('base64url')
}

function readCursor(cursor: string, sort: UserSort): { key: string | number; id: string } {
  try {
    const [key, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isKey = sort === 'email' ? typeof key === 'string' : Number.isSafeInteger(key)
    if (isKey && typeof id === 'string') return { key: key as string | number, id }
  } catch {
    // Not one of ours.
  }
  throw new AppError('malformed', INVALID_USERS_CURSOR)
}
