import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sweepBlobsLater } from '@alcove/server/testing/external-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { goOn, work } from './clients/work.ts'
import { Random } from './random.ts'
import { killDuring } from './rounds/run-round.ts'
import { openScene, type Scene } from './rounds/scenario.ts'
import { steps } from './rounds/steps.ts'
import { listStoredKeys, listUsedKeys } from './rounds/stored-keys.ts'

const SEED = Number(process.env.ALCOVE_FAULTS_SEED ?? 1)
const KILLS = 4
const DAY = 24 * 3_600_000
/** Milliseconds between finding and removing; without a crash an upload is never so long without a row. */
const PAUSE = 1000

/** What any crash may leave: a blob without a row, a chunk parked beside it, one that was staged. */
async function leaveBehind(dataDir: string): Promise<void> {
  const key = randomUUIDv7()
  const folder = join(dataDir, 'blobs', key.slice(0, 7))
  await mkdir(folder, { recursive: true })
  await mkdir(join(dataDir, 'staging'), { recursive: true })
  for (const path of [join(folder, key), join(folder, `${key}.3`), join(dataDir, 'staging', randomUUID())]) {
    await writeFile(path, 'left behind')
  }
}

describe(`the sweep of what crashes leave behind (seed ${SEED})`, () => {
  let random: Random
  let scene: Scene
  beforeEach(async () => {
    random = new Random(SEED)
    scene = await openScene(random)
  })
  afterEach(() => scene.close())

  const clients = () => scene.accounts.flat()
  const sweep = () => sweepBlobsLater(scene.environment, { lazyModule: DAY + 1, pause: PAUSE })

  it('removes all of it, and nothing of an upload that may still go on', async () => {
    const inOnePiece = steps.filter(({ name }) => /small|piece|replacement/.test(name))
    for (let kills = 0; kills < KILLS; kills++) await killDuring(scene, random.pick(inOnePiece), random)
    const { dataDir } = scene.server
    await leaveBehind(dataDir)
    await sweep()
    const [stored, used] = [await listStoredKeys(dataDir), listUsedKeys(dataDir)]
    expect([...stored].filter((key) => !used.has(key))).toEqual([])
    for (const client of clients()) while (client.uploads.size > 0) await goOn(client)
    await scene.check()
  })

  it('removes nothing that is just being stored, also while the clock is a day ahead', async () => {
    let isOver = false
    const working = Promise.allSettled(clients().map((client) => work(client, () => isOver)))
    for (let sweeps = 0; sweeps < 3; sweeps++) {
      await sweep()
      await wait(100)
    }
    isOver = true
    for (const end of await working) if (end.status === 'rejected') throw end.reason
    await scene.check()
  })
})
