import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createFolder } from '@alcove/contract/files'
import { copyItems, getItemsDownloadUrl, listItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import { KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'
import { deleteItems, restoreItems } from '@alcove/contract/trash'
import { type Account, findFolderId, openAccount, send } from '../account.ts'
import { startAlcove } from '../alcove.ts'
import type { Page } from '../client/jobs.ts'
import { startNginx } from '../nginx.ts'
import { readRss } from '../process-figures.ts'
import { type Row, valueAtMost } from '../rows.ts'
import { alcoveTarget, runClient, sendAll } from '../run-client.ts'
import { inRounds, type Part, type Stage, settle } from '../stage.ts'
import { median, timeSeconds } from '../statistics.ts'

const FILES = 100_000
/** So many are sent; the others are copies of them. */
const SENT = 1000
const TIMES = 20

const PAGES = [
  { what: 'first page of 200 of 100,000, ms', query: 'limit=200', max: 10 },
  { what: '… largest first, ms', query: 'limit=200&sort=size&order=desc', max: 120 },
  { what: '… by type, ms', query: 'limit=200&sort=type', max: 120 },
  { what: 'a page of 5,000, ms', query: 'limit=5000', max: 60 },
]

/** A folder of a hundred thousand files: its pages, against the same bytes as a file of nginx's, and changes of all of it. */
export const many: Part = {
  name: 'many',
  needsCurl: false,
  async run(stage) {
    const alcove = await startAlcove(stage.dir)
    const account = await openAccount(alcove)
    const folderId = await fillFolder(stage, account)
    return [
      ...(await measurePages(stage, account, folderId)),
      ...(await measureZip(stage, account, folderId, alcove.pid)),
      ...(await measureChanges(stage, account, folderId)),
    ]
  },
}

async function fillFolder(stage: Stage, account: Account): Promise<string> {
  stage.say(`${FILES.toLocaleString('en-US')} files are made, most of them copies`)
  const target = alcoveTarget(account)
  await sendAll({ target, via: 'http', folder: 'sent', files: SENT, size: KIBIBYTE, atOnce: 6 })
  const allIn = { folderId: await findFolderId(account, 'sent') }
  const { id } = await send(account, createFolder, { folderName: 'many' })
  for (let made = 0; made < FILES; made += SENT) await send(account, copyItems, { allIn, targetFolderId: id })
  return id
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
      const answer = Buffer.from(await (await fetch(page.url, page)).arrayBuffer())
      await writeFile(join(nginx.filesDir, `page-${index}.json`), answer, { mode: 0o644 })
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

/** All of it as one ZIP, read as fast as it comes; what the server holds meanwhile. */
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
        // Only the time counts.
      }
    })
    clearInterval(timer)
    speeds.push(FILES / seconds)
    growth.push((peak - idle) / MEBIBYTE)
  })
  return [
    { what: 'ZIP of the 100,000, files/s', alcove: speeds },
    { what: '… memory it takes, MiB', alcove: growth, floor: valueAtMost(100) },
  ]
}

/** Everything in the folder into another one and back, into the trash and out of it; at last copied, and the copies deleted. */
async function measureChanges(stage: Stage, account: Account, folderId: string): Promise<Row[]> {
  const other = (await send(account, createFolder, { folderName: 'other' })).id
  const seconds = { move: [] as number[], trash: [] as number[], restore: [] as number[] }
  const deleted: number[] = []
  const copied: number[] = []
  await inRounds(stage, async () => {
    const allIn = { folderId }
    seconds.move.push(await timeSeconds(() => send(account, moveItems, { allIn, targetFolderId: other })))
    await send(account, moveItems, { allIn: { folderId: other }, targetFolderId: folderId })
    let itemIds: string[] = []
    seconds.trash.push(
      await timeSeconds(async () => {
        itemIds = (await send(account, trashItems, { allIn })).itemIds
      }),
    )
    seconds.restore.push(await timeSeconds(() => send(account, restoreItems, { itemIds })))
    copied.push(await timeSeconds(() => send(account, copyItems, { allIn, targetFolderId: other })))
    const copies = (await send(account, trashItems, { allIn: { folderId: other } })).itemIds
    deleted.push(await timeSeconds(() => send(account, deleteItems, { itemIds: copies })))
  })
  return [
    { what: 'the 100,000 into another folder, one call, s', alcove: seconds.move },
    { what: '… into the trash, s', alcove: seconds.trash, floor: valueAtMost(5) },
    { what: '… out of it again, all named, s', alcove: seconds.restore },
    { what: '… copied, s', alcove: copied },
    { what: '… deleted for good, s', alcove: deleted },
  ]
}
