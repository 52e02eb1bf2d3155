import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sweepBlobsLater } from '@alcove/server/testing/clients/operator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resume, work } from './clients/work.ts'
import { Random } from './random.ts'
import { killDuring, openScenario, type Scenario } from './rounds/round.ts'
import { steps } from './rounds/steps.ts'
import { listStoredKeys, listUsedKeys } from './rounds/stored-keys.ts'

const SEED = Number(process.env.ALCOVE_FAULTS_SEED ?? 1)
const KILLS = 4
const DAY = 24 * 3_600_000
/** Milliseconds between the two passes of the sweep. A running upload is never without a row for that long. */
const PAUSE = 1000

/** Creates what a crash can leave: a blob without a row, a chunk parked beside it, and a staged chunk. */
async function leaveBehind(dataDir: string): Promise<void> {
  const key = randomUUIDv7()
  const folder = join(dataDir, 'blobs', key.slice(0, 7))
  await mkdir(folder, { recursive: true })
  await mkdir(join(dataDir, 'staging'), { recursive: true })
  for (const path of [join(folder, key), join(folder, `${key}.3`), join(dataDir, 'staging', randomUUID())]) {
    await writeFile(path, 'left behind')
  }
}

describe(`the sweep of files left by crashes (seed ${SEED})`, () => {
  let random: Random
  let scenario: Scenario
  beforeEach(async () => {
    random = new Random(SEED)
    scenario = await openScenario(random)
  })
  afterEach(() => scenario.close())

  const clients = () => scenario.accounts.flat()
  const sweep = () => sweepBlobsLater(scenario.environment, { ahead: DAY + 1, pause: PAUSE })

  it('removes all leftovers of kills and nothing of unfinished uploads', async () => {
    const inOnePiece = steps.filter(({ name }) => /small|piece|replacement/.test(name))
    for (let kills = 0; kills < KILLS; kills++) await killDuring(scenario, random.pick(inOnePiece), random)
    const { dataDir } = scenario.server
    await leaveBehind(dataDir)
    await sweep()
    const [stored, used] = [await listStoredKeys(dataDir), listUsedKeys(dataDir)]
    expect([...stored].filter((key) => !used.has(key))).toEqual([])
    for (const client of clients()) while (client.uploads.size > 0) await resume(client)
    await scenario.check()
  })

  it('removes nothing of uploads in progress, even if the clock is a day ahead', async () => {
    let isOver = false
    const working = Promise.allSettled(clients().map((client) => work(client, () => isOver)))
    for (let sweeps = 0; sweeps < 3; sweeps++) {
      await sweep()
      await wait(100)
    }
    isOver = true
    for (const end of await working) if (end.status === 'rejected') throw end.reason
    await scenario.check()
  })
})
