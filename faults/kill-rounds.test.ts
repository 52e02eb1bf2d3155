import { afterAll, beforeAll, describe, it } from 'vitest'
import { restoreAll } from './clients/changes.ts'
import { Random } from './random.ts'
import { killDuring, killDuringStart } from './rounds/run-round.ts'
import { openScene, type Scene } from './rounds/scenario.ts'
import { steps } from './rounds/steps.ts'

/** What is run without being asked for more: few rounds, but of several seeds. */
const SHORT_ROUNDS = 5
const SHORT = [1, 2, 3].map((seed) => ({ seed, rounds: SHORT_ROUNDS }))

const { ALCOVE_FAULTS_ROUNDS, ALCOVE_FAULTS_SEED, ALCOVE_DATABASE_URL } = process.env
const runs = ALCOVE_FAULTS_ROUNDS ? [{ seed: Number(ALCOVE_FAULTS_SEED), rounds: Number(ALCOVE_FAULTS_ROUNDS) }] : SHORT

describe.each(runs)('a server that is killed again and again (seed $seed)', ({ seed, rounds }) => {
  const random = new Random(seed)
  let scene: Scene
  let hits = 0
  let hasFailed = false
  beforeAll(async () => {
    scene = await openScene(random, ALCOVE_FAULTS_ROUNDS && ALCOVE_DATABASE_URL)
  })
  afterAll(async () => {
    console.log(`seed ${seed}: in ${hits} of ${rounds} rounds the kill came before the answer`)
    await scene?.close()
  })

  for (let round = 1; round <= rounds; round++) {
    // Each seed begins with another step, so that a few seeds see them all.
    const step = steps[(seed * SHORT_ROUNDS + round) % (steps.length + 1)]
    it(`loses nothing: round ${round}, killed during ${step?.name ?? 'its start'}`, async ({ skip }) => {
      if (hasFailed) skip('what came of an earlier round is not whole')
      hasFailed = true
      if (step ? await killDuring(scene, step, random) : await killDuringStart(scene, random)) hits += 1
      hasFailed = false
    })
  }

  it('has every byte in the end', async ({ skip }) => {
    if (hasFailed) skip('what came of an earlier round is not whole')
    for (const client of scene.accounts.flat()) {
      await restoreAll(client)
      client.readAgain()
    }
    await scene.check()
  })
})
