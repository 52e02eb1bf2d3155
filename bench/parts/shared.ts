import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createFolder } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { MAX_MEMBERS, MEBIBYTE } from '@alcove/contract/limits'
import { createTestApp, type TestApp } from '@alcove/server/testing/engines/test-app'
import { addManyItems } from '@alcove/server/testing/factories/many-items'
import { addMember } from '@alcove/server/testing/factories/owned-resources'
import { addTestMember } from '@alcove/server/testing/factories/shares'
import type { TestUser } from '@alcove/server/testing/factories/users'
import { type Account, openAccount, send, startAlcove } from '../alcove.ts'
import { median, type Row, ratioAtMost, timeSeconds, valueAtMost } from '../measurements.ts'
import { makeNames } from '../names.ts'
import { readRss } from '../processes.ts'
import { inRounds, onBothDatabases, type Part, type Stage, settle } from '../stage.ts'

const FILES = 100_000
const TIMES = 40
const CHANGES = 10_000
const TABS = 1000

/** Measures what sharing costs: opening a large folder with many members, two writers in one folder, and events to many tabs. */
export const shared: Part = {
  name: 'shared',
  needsCurl: false,
  run: async (stage) => [
    ...(await onBothDatabases((engine) => measure(stage, engine))),
    ...(await measureEvents(stage)),
  ],
}

async function measure(stage: Stage, engine: string): Promise<Row[]> {
  const app = await createTestApp()
  try {
    return [...(await measureOpening(stage, engine, app)), ...(await measureWriters(stage, engine, app))]
  } finally {
    await app.close()
  }
}

/** Opens a folder with as many members as it can have, as its owner and as a member, against one that isn't shared. */
async function measureOpening(stage: Stage, engine: string, app: TestApp): Promise<Row[]> {
  stage.say(`${engine}: two folders of ${FILES.toLocaleString('en-US')} files are created`)
  const [alone, owner] = [await app.createUser(), await app.createUser()]
  const [mine, theirs] = [await addFolder(alone), await addFolder(owner)]
  for (const [{ id: ownerId }, folderId] of [[alone, mine] as const, [owner, theirs] as const]) {
    await addManyItems(app.services, { ownerId, folderId, names: makeNames(FILES) })
  }
  const member = await addTestMember(app, owner, theirs, 'editor')
  for (let added = 1; added < MAX_MEMBERS; added += 1) {
    const { id, email } = await app.createUser()
    await addMember(app, owner, theirs, { email, userId: id, role: 'editor' })
  }
  const readers = [
    { who: 'nobody else', user: alone, folderId: mine, figures: [] as number[] },
    { who: 'the owner', user: owner, folderId: theirs, figures: [] as number[] },
    { who: 'a member', user: member, folderId: theirs, figures: [] as number[] },
  ]
  await inRounds(stage, async () => {
    const times = readers.map((): number[] => [])
    // They take turns, so that whatever else the machine does slows down all of them.
    for (let time = 0; time < TIMES; time += 1) {
      for (const [index, { user, folderId }] of readers.entries()) {
        times[index]?.push(1000 * (await timeSeconds(() => user.client.call(listItems, { folderId, limit: 200 }))))
      }
    }
    for (const [index, { figures }] of readers.entries()) figures.push(median(times[index] ?? []))
  })
  const [unshared, ...sharing] = readers
  return sharing.map(({ who, figures }) => ({
    what: `${engine}: first page of 100,000 with ${MAX_MEMBERS} members, by ${who}, ms`,
    alcove: figures,
    reference: { name: 'a folder that isn’t shared', figures: unshared?.figures ?? [] },
    floor: ratioAtMost(1.1),
  }))
}

/** Adds folders to one shared folder: its owner and a member at the same time, against the owner alone. */
async function measureWriters(stage: Stage, engine: string, app: TestApp): Promise<Row[]> {
  const owner = await app.createUser({ planName: '2 TB Annually' })
  const alone: number[] = []
  const together: number[] = []
  await inRounds(stage, async () => {
    const folderId = await addFolder(owner)
    const editor = await addTestMember(app, owner, folderId, 'editor')
    await settle()
    const oneFolder = await addFolder(owner, folderId)
    alone.push(await timeSeconds(() => change(owner, oneFolder, CHANGES)))
    await settle()
    const sameFolder = await addFolder(owner, folderId)
    const both = [owner, editor].map((writer) => change(writer, sameFolder, CHANGES / 2))
    together.push(await timeSeconds(() => Promise.all(both)))
  })
  return [
    {
      what: `${engine}: ${CHANGES.toLocaleString('en-US')} changes in a shared folder by two people at once, s`,
      alcove: together,
      reference: { name: 'by the owner alone', figures: alone },
      floor: ratioAtMost(1.5),
    },
  ]
}

async function addFolder({ client }: TestUser, parentFolderId?: string): Promise<string> {
  return (await client.call(createFolder, { folderName: randomUUID(), parentFolderId })).body.id
}

/** Makes changes one after the other. */
async function change(user: TestUser, folderId: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const { status } = await user.client.call(createFolder, { folderName: randomUUID(), parentFolderId: folderId })
    if (status !== 201) throw new Error(`A change returned ${status}.`)
  }
}

/** Opens a thousand event streams, and measures the memory that they take and when the last one has an event. */
async function measureEvents(stage: Stage): Promise<Row[]> {
  const alcove = await startAlcove(stage.dir)
  const account = await openAccount(alcove)
  await wait(2000)
  const before = readRss(alcove.pid)
  stage.say(`${TABS.toLocaleString('en-US')} event streams`)
  const closing = new AbortController()
  const tabs = await Promise.all(Array.from({ length: TABS }, () => openTab(account, closing.signal)))
  await wait(2000)
  const growth = (readRss(alcove.pid) - before) / MEBIBYTE
  const seconds: number[] = []
  await inRounds(stage, async () => {
    await wait(1000)
    seconds.push(
      await timeSeconds(async () => {
        const arrived = tabs.map((tab) => tab.nextEvent())
        await Promise.all([send(account, createFolder, { folderName: randomUUID() }), ...arrived])
      }),
    )
  })
  closing.abort()
  return [
    { what: 'an event to 1,000 tabs, s', alcove: seconds, floor: valueAtMost(1) },
    { what: '… memory that they take, MiB', alcove: [growth], floor: valueAtMost(50) },
  ]
}

interface Tab {
  /** Waits for the next event. */
  nextEvent(): Promise<void>
}

async function openTab({ api, authorization }: Account, signal: AbortSignal): Promise<Tab> {
  const response = await fetch(`${api}/events`, { headers: { authorization }, signal })
  if (!response.ok) throw new Error(`/events returned ${response.status}.`)
  let waiting = Promise.withResolvers<void>()
  void (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) {
      if (!decoder.decode(bytes, { stream: true }).includes('data: ')) continue
      waiting.resolve()
      waiting = Promise.withResolvers()
    }
  })().catch(() => {})
  await waiting.promise
  return { nextEvent: () => waiting.promise }
}
