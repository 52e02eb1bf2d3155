import { startPostgres } from '@alcove/server/testing/postgres-engine'
import type { Row } from './rows.ts'

/** Measures on SQLite, and then on a PostgreSQL that is there for this alone; apps for tests are on the one in question. */
export async function onBothDatabases(measure: (engine: string) => Promise<Row[]>): Promise<Row[]> {
  const rows = await measure('SQLite')
  const postgres = await startPostgres()
  process.env.ALCOVE_TEST_DATABASE = 'postgres'
  process.env.ALCOVE_TEST_POSTGRES_URL = postgres.url
  try {
    return [...rows, ...(await measure('PostgreSQL'))]
  } finally {
    delete process.env.ALCOVE_TEST_DATABASE
    await postgres.stop()
  }
}
