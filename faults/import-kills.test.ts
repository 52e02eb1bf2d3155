import { setTimeout as wait } from 'node:timers/promises'
import { sweepBlobsLater } from '@alcove/server/testing/clients/operator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resume } from './clients/work.ts'
import { Random } from './random.ts'
import { complete, type Importing, killImport, openImporting } from './rounds/import-round.ts'
import { listStoredKeys, listUsedKeys } from './rounds/stored-keys.ts'

const SHORT_ROUNDS = 4
const DAY = 24 * 3_600_000

const { ALCOVE_FAULTS_ROUNDS, ALCOVE_FAULTS_SEED, ALCOVE_DATABASE_URL } = process.env
const rounds = Number(ALCOVE_FAULTS_ROUNDS ?? SHORT_ROUNDS)
const seed = Number(ALCOVE_FAULTS_SEED ?? 1)

describe(`an import that is killed repeatedly beside a server (seed ${seed})`, () => {
  const random = new Random(seed)
  let importing: Importing
  let hits = 0
  let hasFailed = false
  beforeAll(async () => {
    importing = await openImporting(random, ALCOVE_FAULTS_ROUNDS && ALCOVE_DATABASE_URL)
  })
  afterAll(async () => {
    console.log(`seed ${seed}: in ${hits} of ${rounds} rounds the import was killed when some files were there`)
    await importing?.close()
  })

  for (let round = 1; round <= rounds; round++) {
    it(`continues with what is missing (round ${round})`, async ({ skip }) => {
      if (hasFailed) skip('an earlier round failed')
      hasFailed = true
      if (await killImport(importing, random)) hits += 1
      hasFailed = false
    })
  }

  it('has stored everything once after all rounds', async ({ skip }) => {
    if (hasFailed) skip('an earlier round failed')
    await complete(importing, random)
    await importing.scenario.check()
  })

  it.skipIf(ALCOVE_FAULTS_ROUNDS && ALCOVE_DATABASE_URL)(
    'leaves nothing that the sweep does not remove',
    async ({ skip }) => {
      if (hasFailed) skip('an earlier round failed')
      const { environment, server, accounts } = importing.scenario
      for (const client of accounts.flat()) while (client.uploads.size > 0) await resume(client)
      await sweepBlobsLater(environment, { ahead: DAY + 1, pause: 100 })
      await wait(100)
      const [stored, used] = [await listStoredKeys(server.dataDir), listUsedKeys(server.dataDir)]
      expect([...stored].filter((key) => !used.has(key))).toEqual([])
    },
  )
})
