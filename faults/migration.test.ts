import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { login } from '@alcove/contract/accounts'
import { listItems } from '@alcove/contract/item-calls'
import { searchItems } from '@alcove/contract/search'
import { runVerify } from '@alcove/server/testing/clients/operator'
import { clientAt } from '@alcove/server/testing/clients/over-http'
import { findFreePort } from '@alcove/server/testing/engines/ports'
import { spawnServer, startServerProcess } from '@alcove/server/testing/engines/server-process'
import { createOlderDatabase, type OlderUser } from '@alcove/server/testing/factories/older-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from './random.ts'

const FILES = 8000
/** Roughly how many milliseconds the migration of these files takes. */
const MIGRATING = 300
const SEED = Number(process.env.ALCOVE_FAULTS_SEED ?? 1)
const ROUNDS = Math.ceil(Number(process.env.ALCOVE_FAULTS_ROUNDS ?? 15) / 5)

describe('migrating a database of version 0.1.0', () => {
  const random = new Random(SEED)
  let dir: string
  let user: OlderUser
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'alcove-faults-'))
    user = await createOlderDatabase({ dataDir: join(dir, 'older'), databaseUrl: undefined }, FILES)
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  const rounds = Array.from({ length: ROUNDS }, (_, index) => ({ round: index + 1 }))
  it.each(rounds)(`finishes after the server was killed during it (seed ${SEED}, round $round)`, async ({ round }) => {
    const dataDir = join(dir, String(round))
    await cp(join(dir, 'older'), dataDir, { recursive: true })
    for (let kills = random.between(1, 3); kills > 0; kills--) {
      await killMigrating(dataDir, random.fraction() * MIGRATING)
    }
    const server = await startServerProcess({}, { dataDir })
    try {
      const signedIn = await clientAt(server.url).call(login, user)
      const api = clientAt(server.url, (signedIn.body as { token: string }).token)
      expect((await api.call(listItems, { limit: 1 })).body.total).toBe(FILES + 2)
      expect((await api.call(searchItems, { q: `song ${FILES}` })).body).toHaveLength(1)
    } finally {
      await server.stop()
    }
    expect(integrityOf(dataDir)).toEqual([{ integrity_check: 'ok' }])
    expect(await runVerify({ ALCOVE_DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    await rm(dataDir, { recursive: true })
  })
})

/** Starts a server, and kills it `after` milliseconds from its first write to the database. */
async function killMigrating(dataDir: string, after: number): Promise<void> {
  const { child, output } = spawnServer({ PORT: String(await findFreePort()), ALCOVE_DATA_DIR: dataDir })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const database = new DatabaseSync(join(dataDir, 'alcove.sqlite'), { timeout: 0 })
  while (!isBeingWritten(database) && !output().includes('Alcove is at')) {
    if (child.exitCode !== null) throw new Error(`The server has ended:\n${output()}`)
    await wait(1)
  }
  database.close()
  await wait(after)
  child.kill('SIGKILL')
  await exited
}

function isBeingWritten(database: DatabaseSync): boolean {
  try {
    database.exec('begin immediate; rollback')
    return false
  } catch {
    return true
  }
}

function integrityOf(dataDir: string): unknown[] {
  const database = new DatabaseSync(join(dataDir, 'alcove.sqlite'))
  try {
    return database.prepare('pragma integrity_check').all()
  } finally {
    database.close()
  }
}
