import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { Database } from './database.ts'
import { isPostgres } from './portable-sql.ts'
import { prepareQuery, type Value } from './prepared-query.ts'

let app: TestApp
let db: Database
let userId: string
beforeAll(async () => {
  app = await createTestApp()
  ;({ db } = app.services)
  userId = (await app.createUser()).id
})
afterAll(() => app.close())

const readQuota = prepareQuery((db, value: Value<{ id: string }>) =>
  db.selectFrom('users').select('allocated_bytes').where('id', '=', value('id')),
)
const readUser = prepareQuery((db, value: Value<{ id: string }>) =>
  db.selectFrom('users').selectAll().where('id', '=', value('id')),
)

describe('prepared queries', () => {
  it('run with the values of each call', async () => {
    expect((await readQuota(db, { id: userId })).rows).toHaveLength(1)
    expect((await readQuota(db, { id: 'nobody' })).rows).toEqual([])
  })

  it('keep working after another server has added a column', async () => {
    const read = () =>
      db.connection().execute(async (connection) => {
        await readQuota(connection, { id: userId })
        await readUser(connection, { id: userId })
        if (!isPostgres(db)) return []
        const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
          connection,
        )
        return rows.map(({ statement }) => statement).filter((text) => /^select (\*|"allocated_bytes") from/.test(text))
      })
    const prepared = isPostgres(db) ? ['select "allocated_bytes" from "users" where "id" = $1'] : []
    expect(await read()).toEqual(prepared)
    await sql`alter table users add column later text`.execute(db)
    expect(await read()).toEqual(prepared)
    expect((await readUser(db, { id: userId })).rows).toMatchObject([{ later: null }])
  })
})
