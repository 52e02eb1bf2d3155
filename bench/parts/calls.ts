import { callsByArea } from '@alcove/contract/calls'
import { advanceToSteps } from '@alcove/server/testing/clients/account-steps'
import { createTestApp, type TestApp } from '@alcove/server/testing/engines/test-app'
import { analyzeTables, indexNames } from '@alcove/server/testing/factories/many-items'
import { type AboutAll, timeDeletions, timeMeanwhile, timeZip } from '../calls/all-of-a-user.ts'
import { type Caller, createCaller } from '../calls/caller.ts'
import { addCrowd, type CrowdSize, fillLarge, fillSmall, storeBytes } from '../calls/crowd.ts'
import { recordRequest, type TimedCall } from '../calls/timed-call.ts'
import { callsAboutAll, lastCalls, leftOut, timedCalls } from '../calls/timed-calls.ts'
import { runClient } from '../client/jobs.ts'
import { median, percentile, type Row, valueAtMost } from '../measurements.ts'
import { inRounds, onBothDatabases, type Part, type Stage } from '../stage.ts'

const SIZE: CrowdSize = {
  users: 1000,
  filesOfEach: 1000,
  files: 1_000_000,
  filesInFullFolder: 10_000,
  filesInOtherFolders: 2000,
  tracks: 1000,
}
/** Calls per round, and the number of users with few files who make them. */
const TIMES = 40
const SMALL_CALLERS = 4
const SLOWEST_SHOWN = 5
/** The number of users who delete their account at the end. */
const LEAVING = 40

/** Measures every cheap call of the API, by users with few files and by one with a million, on each database. */
export const calls: Part = {
  name: 'calls',
  needsCurl: false,
  run: (stage) => {
    assertAllAreKnown()
    return onBothDatabases((engine) => measure(stage, engine))
  },
}

/** Throws if a call is neither timed nor left out with a reason. */
function assertAllAreKnown(): void {
  const known = new Set([...leftOut.keys(), ...callsAboutAll, ...[...timedCalls, ...lastCalls].map(({ call }) => call)])
  const forgotten = Object.values(callsByArea)
    .flatMap((area) => Object.values(area))
    .filter((call) => !known.has(call))
  if (forgotten.length > 0) throw new Error(`not timed: ${forgotten.map(({ path }) => path).join(', ')}`)
}

/** The p95 of each round in milliseconds, by call and caller. */
type Statistics = Map<string, number[]>

interface CallerGroup {
  url: string
  callers: Caller[]
  /** The callers' name in the table. */
  by: string
}

async function measure(stage: Stage, engine: string): Promise<Row[]> {
  const app = await createTestApp()
  try {
    const { groups: callers, leaving } = await addAll(app, stage, engine)
    stage.say(`${engine}: names are indexed`)
    await settle(app)
    const figures: Statistics = new Map()
    for (const requested of [timedCalls, lastCalls]) await timeInRounds(stage, callers, requested, figures)
    stage.say(`${engine}: all data of users is downloaded and deleted`)
    const aboutAll = await timeAllOf(app, callers, leaving)
    return [...describe(engine, figures), ...aboutAll]
  } finally {
    await app.close()
  }
}

/** Creates all users with their files, and returns the callers. */
async function addAll(
  app: TestApp,
  stage: Stage,
  engine: string,
): Promise<{ groups: CallerGroup[]; leaving: string[] }> {
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const turns = stage.rounds * TIMES
  stage.say(`${engine}: ${SIZE.users.toLocaleString('en-US')} users are created with their files`)
  const crowd = await addCrowd(app, SIZE.users - SMALL_CALLERS, SIZE.filesOfEach)
  const small: Caller[] = []
  while (small.length < SMALL_CALLERS) {
    small.push(await createCaller(app, 1 + turns / SMALL_CALLERS, (id) => fillSmall(app, id, SIZE)))
  }
  stage.say(`${engine}: a user with ${SIZE.files.toLocaleString('en-US')} files is created`)
  const large = await createCaller(app, 1 + turns, (id) => fillLarge(app, id, SIZE))
  advanceToSteps(app)
  const groups = [
    { url, callers: small, by: SIZE.filesOfEach.toLocaleString('en-US') },
    { url, callers: [large], by: SIZE.files.toLocaleString('en-US') },
  ]
  return { groups, leaving: crowd.slice(0, LEAVING) }
}

/** Measures calls in rounds. The first turn of each caller is a warm-up and doesn't count. */
async function timeInRounds(
  stage: Stage,
  callers: CallerGroup[],
  requested: TimedCall[],
  figures: Statistics,
): Promise<void> {
  for (const group of callers) await timeAll(group, requested, 0, 1)
  await inRounds(stage, async (round) => {
    for (const group of callers) {
      const times = TIMES / group.callers.length
      const taken = await timeAll(group, requested, 1 + (round - 1) * times, times)
      for (const [what, list] of taken) figures.set(what, [...(figures.get(what) ?? []), percentile(list, 0.95)])
    }
  })
}

/** Measures calls about all data of a user. The last ones delete the users. */
async function timeAllOf(app: TestApp, callers: CallerGroup[], leaving: string[]): Promise<Row[]> {
  const [small, large] = callers as [CallerGroup, CallerGroup]
  const [one, other] = [small, large].map(({ url, callers: [caller], by }) => ({
    url,
    caller: caller as Caller,
    by,
  })) as [AboutAll, AboutAll]
  await storeBytes(app, one.caller.user.id)
  return [
    await timeZip(one),
    await timeDeletions(one.url, leaving, one.by),
    await timeDeletions(other.url, [other.caller.user.token], other.by),
    await timeMeanwhile({ ...one, by: other.by }),
  ]
}

/** Indexes names and analyzes tables, as if the server had been running for a while. */
async function settle({ services }: TestApp): Promise<void> {
  await indexNames(services)
  await analyzeTables(services)
}

/** Makes the calls of some turns, and returns the milliseconds of each kind of call. */
async function timeAll(
  { url, callers, by }: CallerGroup,
  requested: TimedCall[],
  firstTurn: number,
  times: number,
): Promise<Map<string, number[]>> {
  const taken = new Map<string, number[]>()
  for (const own of callers) {
    const turns = own.turns.slice(firstTurn, firstTurn + times)
    const requests = await Promise.all(
      requested.map(({ call, input, token: tokenOf }) =>
        Promise.all(
          turns.map((turn) => {
            const token = tokenOf?.(turn) ?? own.user.token
            return recordRequest({ url, token }, call, input(own, turn))
          }),
        ),
      ),
    )
    const { milliseconds } = await runClient({ work: 'time requests', requests })
    for (const [index, list] of milliseconds.entries()) {
      const { call, as } = requested[index] as TimedCall
      const what = `${call.method} ${call.path}${as ? ` (${as})` : ''} by a user of ${by}`
      taken.set(what, [...(taken.get(what) ?? []), ...list])
    }
  }
  return taken
}

function describe(engine: string, figures: Statistics): Row[] {
  const slowest = [...figures].toSorted(([, a], [, b]) => median(b) - median(a))
  const timed = new Set([...timedCalls, ...lastCalls].map(({ call }) => call))
  const [, alcove] = slowest[0] as [string, number[]]
  return [
    { what: `${engine}: the slowest p95 of ${timed.size} calls, ms`, alcove, floor: valueAtMost(50) },
    ...slowest.slice(0, SLOWEST_SHOWN).map(([what, figure]) => ({ what: `… ${what}`, alcove: figure })),
  ]
}
