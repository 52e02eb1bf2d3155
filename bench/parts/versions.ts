import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createFolder } from '@alcove/contract/files'
import { KIBIBYTE } from '@alcove/contract/limits'
import { listVersions } from '@alcove/contract/versions'
import { createTestApp, type TestApp } from '@alcove/server/testing/engines/test-app'
import { addManyItems } from '@alcove/server/testing/factories/many-items'
import { addManyVersions, thinAllVersions } from '@alcove/server/testing/factories/many-versions'
import type { TestUser } from '@alcove/server/testing/factories/users'
import { median, type Row, ratioAtMost, timeSeconds, valueAtMost } from '../measurements.ts'
import { inRounds, onBothDatabases, type Part, type Stage, settle } from '../stage.ts'

const REPLACEMENTS = 1000
const SIZE = 10 * KIBIBYTE
const VERSIONS = 1000
const FILES = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR
const TIMES = 20
/** How long the other user is measured without thinning, in milliseconds. */
const ALONE = 10_000

/** Measures replacements against first uploads, the list of a long history, and what thinning costs others. */
export const versions: Part = {
  name: 'versions',
  needsCurl: false,
  run: (stage) => onBothDatabases((engine) => measure(stage, engine)),
}

async function measure(stage: Stage, engine: string): Promise<Row[]> {
  const app = await createTestApp()
  try {
    return [
      ...(await measureReplacements(stage, engine, app)),
      ...(await measureList(engine, app)),
      ...(await measureThinning(stage, engine, app)),
    ]
  } finally {
    await app.close()
  }
}

async function measureReplacements(stage: Stage, engine: string, app: TestApp): Promise<Row[]> {
  stage.say(`replacements on ${engine}`)
  const user = await app.createUser({ planName: '2 TB Annually' })
  const first: number[] = []
  const replaced: number[] = []
  await send(user, (index) => `warm-up ${index}`)
  await send(user, () => 'warm-up 0', REPLACING)
  await inRounds(stage, async (round) => {
    await settle()
    first.push(await timeSeconds(() => send(user, (index) => `${round} ${index}`)))
    await settle()
    replaced.push(await timeSeconds(() => send(user, () => `${round} 0`, REPLACING)))
  })
  return [
    {
      what: `1,000 replacements of a file of 10 KiB one by one, ${engine}, s`,
      alcove: replaced,
      reference: { name: '1,000 first uploads', figures: first },
      floor: ratioAtMost(1.15),
    },
  ]
}

const REPLACING = { onConflict: 'replace', keepReplaced: true }

/** Sends a thousand files one after the other. */
async function send(user: TestUser, nameOf: (index: number) => string, how: Record<string, string | boolean> = {}) {
  for (let index = 0; index < REPLACEMENTS; index++) {
    const content = Buffer.alloc(SIZE)
    content.writeUInt32BE(index)
    const fields = { uploadId: randomUUID(), chunkIndex: 0, totalChunks: 1, complete: true, totalSize: SIZE }
    const { status } = await user.client.sendChunk({ ...fields, filename: nameOf(index), ...how }, content)
    if (status !== 201) throw new Error(`An upload returned ${status}.`)
  }
}

async function measureList(engine: string, app: TestApp): Promise<Row[]> {
  const user = await app.createUser()
  const { id } = await user.client.upload('history.txt', 'current')
  const latest = app.clock.now() - DAY
  await addManyVersions(app.services, { ownerId: user.id, itemId: id, count: VERSIONS, every: 1000, latest })
  const milliseconds: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const seconds = await timeSeconds(() => user.client.raw(listVersions, { id }))
    milliseconds.push(seconds * 1000)
  }
  return [{ what: `list of 1,000 versions, ${engine}, ms`, alcove: [median(milliseconds)], floor: valueAtMost(20) }]
}

/** Thins out a million versions of one user, while another user creates folders. */
async function measureThinning(stage: Stage, engine: string, app: TestApp): Promise<Row[]> {
  stage.say(`a million versions on ${engine}`)
  const user = await app.createUser()
  const other = await app.createUser()
  const names = Array.from({ length: FILES }, (_, index) => `file ${index}`)
  const latest = app.clock.now() - 2 * DAY
  for (const itemId of await addManyItems(app.services, { ownerId: user.id, names })) {
    await addManyVersions(app.services, { ownerId: user.id, itemId, count: VERSIONS, every: HOUR / 4, latest })
  }
  const alone = await longestChange(other, () => wait(ALONE))
  let seconds = 0
  const meanwhile = await longestChange(other, async () => {
    seconds = await timeSeconds(() => thinAllVersions(app.services))
  })
  const { left } = await app.services.db
    .selectFrom('versions')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('owner_id', '=', user.id)
    .executeTakeFirstOrThrow()
  const thinned = FILES * VERSIONS - Number(left)
  return [
    { what: `thinning out versions of a user with a million, ${engine}, versions/s`, alcove: [thinned / seconds] },
    {
      what: `… longest change of another user meanwhile, ${engine}, ms`,
      alcove: [meanwhile],
      reference: { name: 'without thinning', figures: [alone] },
      floor: valueAtMost(50),
    },
  ]
}

/** Returns how many milliseconds the longest of a user's changes takes, which are made one after the other during `work`. */
async function longestChange(user: TestUser, work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  const changing = (async () => {
    while (!isOver) {
      const seconds = await timeSeconds(() => user.client.call(createFolder, { folderName: randomUUID() }))
      longest = Math.max(longest, seconds * 1000)
    }
  })()
  await work()
  isOver = true
  await changing
  return longest
}
