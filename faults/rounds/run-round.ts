import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../clients/client.ts'
import { sendSmall, untilGone, work } from '../clients/work.ts'
import type { Random } from '../random.ts'
import type { Scene } from './scenario.ts'
import type { Step } from './steps.ts'

/** Milliseconds that the others have worked for when the step begins, at most. */
const HEAD_START = 150
/** Milliseconds that a small file takes on a machine with nothing else to do, over a connection of its own. */
const SMALL_FILE_TAKES = 8
/** Milliseconds from the start of a server to its taking work, roughly. */
const STARTING = 700

/**
 * One client does the step, the others anything; the server is killed in the middle, started again, and held to account.
 * Returns whether it was killed before the step was acknowledged.
 */
export async function killDuring(scene: Scene, step: Step, random: Random): Promise<boolean> {
  const aimed = random.pick(scene.accounts.flat())
  const act = await step.prepare(aimed)
  const within = step.lasts * (await measureSlowness(aimed))
  let isOver = false
  let isAcknowledged = false
  const others = scene.accounts.flat().filter((client) => client !== aimed)
  const working = Promise.allSettled(others.map((client) => work(client, () => isOver)))
  await wait(random.fraction() * HEAD_START)
  const doing = act().then(() => {
    isAcknowledged = true
  })
  const acting = Promise.allSettled([untilGone(doing)])
  await wait(random.fraction() * within)
  isOver = true
  await scene.server.kill()
  for (const end of [...(await working), ...(await acting)]) if (end.status === 'rejected') throw end.reason
  await scene.server.start()
  await scene.check()
  return !isAcknowledged
}

/** How many times as long as usual the machine just takes for a small file; it may be busy with something else. */
async function measureSlowness(client: Client): Promise<number> {
  const start = performance.now()
  await sendSmall(client)
  return Math.max(1, (performance.now() - start) / SMALL_FILE_TAKES)
}

/** The server is killed again while it starts. Answers whether it had not taken work yet. */
export async function killDuringStart(scene: Scene, random: Random): Promise<boolean> {
  await scene.server.kill()
  let isReady = false
  const starting = scene.server.start().then(
    () => {
      isReady = true
    },
    () => {},
  )
  await wait(random.fraction() * STARTING)
  await scene.server.kill()
  await starting
  await scene.server.start()
  await scene.check()
  return !isReady
}
