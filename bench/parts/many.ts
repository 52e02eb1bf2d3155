import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createFolder, getStorage } from '@alcove/contract/files'
import { copyItems, getItemsDownloadUrl, listItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import { KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'
import { searchItems } from '@alcove/contract/search'
import { deleteItems, restoreItems } from '@alcove/contract/trash'
import { createTestApp, type TestApp } from '@alcove/server/testing/engines/test-app'
import { addManyItems, indexNames } from '@alcove/server/testing/factories/many-items'
import { shrinkWhileWriting } from '@alcove/server/testing/factories/shrinking'
import { type Account, findFolderId, openAccount, send, startAlcove } from '../alcove.ts'
import { alcoveTarget, type Page, runClient, sendAll } from '../client/jobs.ts'
import { type Goal, median, type Row, timeSeconds, valueAtMost } from '../measurements.ts'
import { makeNames } from '../names.ts'
import { readRss } from '../processes.ts'
import { startNginx } from '../references.ts'
import { inRounds, onBothDatabases, type Part, type Stage, settle } from '../stage.ts'

const FILES = 100_000
/** How many files are uploaded. The others are copies of them. */
const SENT = 1000
const TIMES = 20

const PAGES = [
  { what: 'first page of 200 of 100,000, ms', query: 'limit=200', max: 10 },
  { what: '… largest first, ms', query: 'limit=200&sort=size&order=desc', max: 120 },
  { what: '… by type, ms', query: 'limit=200&sort=type', max: 120 },
  { what: 'a page of 5,000, ms', query: 'limit=5000', max: 60 },
]

/** Measures a folder of 100,000 files: its pages against the same bytes from nginx, its ZIP, and changes of all of it. */
export const many: Part = {
  name: 'many',
  needsCurl: false,
  async run(stage) {
    const alcove = await startAlcove(stage.dir)
    const account = await openAccount(alcove)
    const { folderId, seconds } = await fillFolder(stage, account)
    return [
      { what: `copying files, ${SENT.toLocaleString('en-US')} in a call, files/s`, alcove: [FILES / seconds] },
      ...(await measurePages(stage, account, folderId)),
      ...(await measureZip(stage, account, folderId, alcove.pid)),
      ...(await onBothDatabases((engine) => measureChanges(stage, engine))),
    ]
  },
}

/** Fills the folder with copies; `seconds` is how long copying took. */
async function fillFolder(stage: Stage, account: Account): Promise<{ folderId: string; seconds: number }> {
  stage.say(`${FILES.toLocaleString('en-US')} files are created, most of them as copies`)
  const target = alcoveTarget(account)
  await sendAll({ target, via: 'http', folder: 'sent', files: SENT, size: KIBIBYTE, atOnce: 6 })
  const allIn = { folderId: await findFolderId(account, 'sent') }
  const { id: folderId } = await send(account, createFolder, { folderName: 'many' })
  const seconds = await timeSeconds(async () => {
    for (let made = 0; made < FILES; made += SENT) await send(account, copyItems, { allIn, targetFolderId: folderId })
  })
  return { folderId, seconds }
}

async function measurePages(stage: Stage, account: Account, folderId: string): Promise<Row[]> {
  const nginx = await startNginx(stage.dir)
  const { authorization } = account
  const ours: Page[] = PAGES.map(({ query }) => ({
    url: `${account.api}${listItems.path}?folderId=${folderId}&${query}`,
    headers: { authorization },
  }))
  const theirs: Page[] = []
  if (nginx) {
    for (const [index, page] of ours.entries()) {
      const body = Buffer.from(await (await fetch(page.url, page)).arrayBuffer())
      await writeFile(join(nginx.filesDir, `page-${index}.json`), body, { mode: 0o644 })
      theirs.push({ url: `${nginx.url}/page-${index}.json`, headers: {} })
    }
  }
  const pages = [...ours, ...theirs]
  await settle()
  await runClient({ work: 'time pages', pages, times: 3 })
  const figures: number[][] = pages.map(() => [])
  await inRounds(stage, async () => {
    const { milliseconds } = await runClient({ work: 'time pages', pages, times: TIMES })
    for (const [index, measured] of milliseconds.entries()) figures[index]?.push(median(measured))
  })
  return PAGES.map(({ what, max }, index) => ({
    what,
    alcove: figures[index] ?? [],
    reference: { name: 'nginx, the same JSON', figures: figures[PAGES.length + index] ?? [] },
    floor: valueAtMost(max),
  }))
}

/** Downloads the folder as one ZIP, and measures the server's memory meanwhile. */
async function measureZip(stage: Stage, account: Account, folderId: string, pid: number): Promise<Row[]> {
  const speeds: number[] = []
  const growth: number[] = []
  await inRounds(stage, async () => {
    await wait(1000)
    const idle = readRss(pid)
    let peak = idle
    const timer = setInterval(() => {
      peak = Math.max(peak, readRss(pid))
    }, 50)
    const seconds = await timeSeconds(async () => {
      const { url } = await send(account, getItemsDownloadUrl, { allIn: { folderId } })
      const { pathname, search } = new URL(url)
      const response = await fetch(`${new URL(account.api).origin}${pathname}${search}`)
      for await (const _piece of response.body ?? []) {
        // Only the time matters.
      }
    })
    clearInterval(timer)
    speeds.push(FILES / seconds)
    growth.push((peak - idle) / MEBIBYTE)
  })
  return [
    { what: 'ZIP of the 100,000, files/s', alcove: speeds },
    { what: '… memory used, MiB', alcove: growth, floor: valueAtMost(100) },
  ]
}

/** Measures changes of the whole folder, each in one call. The items have no bytes, and the server is in this process. */
async function measureChanges(stage: Stage, engine: string): Promise<Row[]> {
  const app = await createTestApp()
  try {
    const { id: ownerId, client } = await app.createUser()
    const [folder, other] = await Promise.all(
      ['many', 'other'].map(async (folderName) => (await client.call(createFolder, { folderName })).body.id),
    )
    const allIn = { folderId: folder as string }
    stage.say(`${engine}: ${FILES.toLocaleString('en-US')} items are created`)
    await addManyItems(app.services, { ownerId, folderId: folder, names: makeNames(FILES) })
    await indexNames(app.services)
    const seconds = new Map<string, number[]>()
    const time = async <Result extends { status: number; body: unknown }>(
      what: string,
      work: () => Promise<Result>,
    ) => {
      const startedAt = performance.now()
      const { status, body } = await work()
      if (status >= 300) throw new Error(`${what}: ${JSON.stringify(body).slice(0, 500)}`)
      seconds.set(what, [...(seconds.get(what) ?? []), (performance.now() - startedAt) / 1000])
      return body as Result['body']
    }
    await inRounds(stage, async () => {
      await time('moving to another folder', () => client.call(moveItems, { allIn, targetFolderId: other }))
      await client.call(moveItems, { allIn: { folderId: other as string }, targetFolderId: folder })
      const { itemIds } = await time('moving to the trash', () => client.call(trashItems, { allIn }))
      await time('reading the used bytes right afterwards', () => client.call(getStorage, {}))
      await time('searching for them right afterwards', () => client.call(searchItems, { q: 'img' }))
      await time('restoring by id', () => client.call(restoreItems, { itemIds }))
    })
    const { itemIds } = (await client.call(trashItems, { allIn })).body
    await time('deleting permanently by id', () => client.call(deleteItems, { itemIds }))
    const shrinking = app.services.config.databaseUrl === undefined ? await measureShrinking(app) : []
    const floors: Record<string, Goal> = { 'moving to the trash': valueAtMost(5) }
    const changes = [...seconds].map(([what, alcove]) => ({
      what: `${engine}: 100,000 items: ${what}, s`,
      alcove,
      ...(floors[what] && { floor: floors[what] }),
    }))
    return [...changes, ...shrinking]
  } finally {
    await app.close()
  }
}

/** Measures how the SQLite file shrinks when everything has been deleted, and how long another writer waits for its turn meanwhile. */
async function measureShrinking({ services }: TestApp): Promise<Row[]> {
  await services.jobs.runDue()
  const { bytesBefore, bytesAfter, seconds, waits } = await shrinkWhileWriting(services)
  return [
    { what: 'the SQLite file after deleting them, MiB', alcove: [bytesBefore / MEBIBYTE] },
    { what: '… when it has shrunk, MiB', alcove: [bytesAfter / MEBIBYTE] },
    { what: '… seconds it took', alcove: [seconds] },
    { what: '… longest wait of another writer, ms', alcove: [Math.max(...waits)], floor: valueAtMost(50) },
  ]
}
