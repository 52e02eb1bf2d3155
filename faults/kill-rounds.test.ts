import { afterAll, beforeAll, describe, it } from 'vitest'
import { restoreAll } from './clients/changes.ts'
import { Random } from './random.ts'
import { killDuring, killDuringStart, openScenario, type Scenario } from './rounds/round.ts'
import { steps } from './rounds/steps.ts'

/** The default: few rounds, but with several seeds. */
const SHORT_ROUNDS = 5
const SHORT = [1, 2, 3].map((seed) => ({ seed, rounds: SHORT_ROUNDS }))

const { ALCOVE_FAULTS_ROUNDS, ALCOVE_FAULTS_SEED, ALCOVE_DATABASE_URL } = process.env
const runs = ALCOVE_FAULTS_ROUNDS ? [{ seed: Number(ALCOVE_FAULTS_SEED), rounds: Number(ALCOVE_FAULTS_ROUNDS) }] : SHORT

describe.each(runs)('a server that is killed repeatedly (seed $seed)', ({ seed, rounds }) => {
  const random = new Random(seed)
  let scenario: Scenario
  let hits = 0
  let hasFailed = false
  beforeAll(async () => {
    scenario = await openScenario(random, ALCOVE_FAULTS_ROUNDS && ALCOVE_DATABASE_URL)
  })
  afterAll(async () => {
    console.log(`seed ${seed}: in ${hits} of ${rounds} rounds the server was killed before the response`)
    await scenario?.close()
  })

  for (let round = 1; round <= rounds; round++) {
    // Each seed begins with a different step, so that a few seeds cover all.
    const step = steps[(seed * SHORT_ROUNDS + round) % (steps.length + 1)]
    it(`loses nothing when killed during ${step?.name ?? 'its start'} (round ${round})`, async ({ skip }) => {
      if (hasFailed) skip('an earlier round failed')
      hasFailed = true
      if (step ? await killDuring(scenario, step, random) : await killDuringStart(scenario, random)) hits += 1
      hasFailed = false
    })
  }

  it('has every stored byte after all rounds', async ({ skip }) => {
    if (hasFailed) skip('an earlier round failed')
    for (const client of scenario.accounts.flat()) {
      await restoreAll(client)
      client.readAgain()
    }
    await scenario.check()
  })
})
