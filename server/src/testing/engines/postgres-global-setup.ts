import { type PostgresEngine, startPostgres } from './postgres-engine.ts'
import { createMigratedDatabase, type TestDatabase } from './test-databases.ts'

let engine: PostgresEngine | undefined
let template: TestDatabase | undefined

/** Starts one PostgreSQL for a whole test run; the workers inherit its address. */
export async function setup(): Promise<void> {
  engine = await startPostgres()
  process.env.ALCOVE_TEST_POSTGRES_URL = engine.url
  template = await createMigratedDatabase(engine.url)
}

export async function teardown(): Promise<void> {
  await template?.drop()
  await engine?.stop()
}
