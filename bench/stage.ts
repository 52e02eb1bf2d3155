import { startPostgres } from '@alcove/server/testing/engines/postgres-engine'
import type { Row } from './measurements.ts'
import type { Options } from './options.ts'
import { runToEnd } from './processes.ts'
import type { Source } from './transfers.ts'

/** The environment of a part. When the part ends, its processes are stopped and its directory is removed. */
export interface Stage extends Pick<Options, 'rounds' | 'size' | 'files'> {
  dir: string
  /** Returns the large file, which is created on first use. */
  source(): Promise<Source>
  say(progress: string): void
}

export interface Part {
  name: string
  /** Whether it transfers large files with curl. */
  needsCurl: boolean
  /** Whether it runs only when it is named, because it takes long. */
  isOnRequest?: boolean
  run(stage: Stage): Promise<Row[]>
}

/** Flushes pending writes, so that they don't slow down the next measurement. */
export async function settle(): Promise<void> {
  await runToEnd('sync', [])
}

/** Runs `work` once per round. */
export async function inRounds(stage: Stage, work: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= stage.rounds; round += 1) {
    stage.say(`round ${round} of ${stage.rounds}`)
    await work(round)
  }
}

/** Measures on SQLite, then on a temporary PostgreSQL. `createTestApp` uses the database that is measured. */
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
