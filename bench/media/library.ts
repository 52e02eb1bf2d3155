import { listAudio } from '@alcove/contract/media'
import { startPostgres } from '@alcove/server/testing/engines/postgres-engine'
import { createTestApp } from '@alcove/server/testing/engines/test-app'
import { addManyItems } from '@alcove/server/testing/factories/many-items'
import { runClient } from '../client/jobs.ts'
import { percentile, type Row, valueAtMost } from '../measurements.ts'
import type { Stage } from '../stage.ts'

const TRACKS = 20_000
const TIMES = 10

/** Measures the whole music library of one user, with metadata, on each database. */
export async function measureLibraries(stage: Stage): Promise<Row[]> {
  const rows = await measureLibrary(stage, 'SQLite')
  const postgres = await startPostgres()
  process.env.ALCOVE_TEST_DATABASE = 'postgres'
  process.env.ALCOVE_TEST_POSTGRES_URL = postgres.url
  try {
    return [...rows, ...(await measureLibrary(stage, 'PostgreSQL'))]
  } finally {
    delete process.env.ALCOVE_TEST_DATABASE
    await postgres.stop()
  }
}

async function measureLibrary(stage: Stage, engine: string): Promise<Row[]> {
  const app = await createTestApp()
  try {
    const user = await app.createUser({ planName: '2 TB Annually' })
    stage.say(`${engine}: ${TRACKS.toLocaleString('en-US')} tracks are added`)
    const names = Array.from({ length: TRACKS }, (_, index) => `${index + 1} A song of some length.mp3`)
    await addManyItems(app.services, { ownerId: user.id, names })
    await describeAll(app.services.db)
    const url = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const pages = [{ url: `${url}/api${listAudio.path}`, headers: { authorization: `Bearer ${user.token}` } }]
    await runClient({ work: 'time pages', pages, times: 1 })
    // The server runs in this process, the client in another.
    const before = process.cpuUsage()
    const { milliseconds } = await runClient({ work: 'time pages', pages, times: TIMES })
    const { user: own, system } = process.cpuUsage(before)
    const what = `${engine}: a library of ${TRACKS.toLocaleString('en-US')} tracks, listing it, p95, ms`
    return [
      { what, alcove: [percentile(milliseconds.flat(), 0.95)], floor: valueAtMost(200) },
      { what: '… processor time of the server, ms', alcove: [(own + system) / 1000 / TIMES] },
    ]
  } finally {
    await app.close()
  }
}

type Db = Awaited<ReturnType<typeof createTestApp>>['services']['db']

/** Writes metadata as if all files had been read. */
async function describeAll(db: Db): Promise<void> {
  await db
    .insertInto('media_facts')
    .columns(['blob_key', 'title', 'artist', 'album', 'track', 'duration', 'has_cover', 'read_at'])
    .expression((eb) =>
      eb
        .selectFrom('items')
        .select(({ lit, cast, ref, val }) => [
          cast<string>(ref('blob_key'), 'text').as('blob_key'),
          cast<string>(ref('name'), 'text').as('title'),
          cast<string>(val('Some artist'), 'text').as('artist'),
          cast<string>(val('Some album'), 'text').as('album'),
          lit(1).as('track'),
          cast<number>(lit(200), 'double precision').as('duration'),
          lit(1).as('has_cover'),
          cast<number>(lit(0), 'bigint').as('read_at'),
        ])
        .where('media', '=', 'audio'),
    )
    .execute()
}
