import { type PostgresEngine, startPostgres } from './postgres-engine.ts'

let engine: PostgresEngine | undefined

/** Starts one PostgreSQL for a whole test run; the workers inherit its address. */
export async function setup(): Promise<void> {
  engine = await startPostgres()
  process.env.ALCOVE_TEST_POSTGRES_URL = engine.url
}

export async function teardown(): Promise<void> {
  await engine?.stop()
}
