import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { startPostgres } from './postgres-engine.ts'

test('startPostgres starts a server that folds case beyond ASCII and has trigrams, until it is stopped', async () => {
  vi.stubEnv('ALCOVE_TEST_DATABASE_URL', '')
  const engine = await startPostgres()
  const client = new Client(engine.url)
  await client.connect()
  await client.query('create extension pg_trgm')
  const { rows } = await client.query(`select lower('ÉCLAIR') as folded, similarity('abc', 'abc') as alike`)
  await client.end()
  await engine.stop()

  expect(rows).toEqual([{ folded: 'éclair', alike: 1 }])
  await expect(new Client(engine.url).connect()).rejects.toThrow('ECONNREFUSED')
})
