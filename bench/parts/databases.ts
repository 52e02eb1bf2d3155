import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listFiles } from '@alcove/contract/files'
import { trashItems } from '@alcove/contract/item-calls'
import { KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'
import { searchItems } from '@alcove/contract/search'
import { emptyTrash } from '@alcove/contract/trash'
import { startPostgres } from '@alcove/server/testing/engines/postgres-engine'
import { type Account, type Alcove, findFolderId, openAccount, send, startAlcove } from '../alcove.ts'
import { alcoveTarget, type Page, runClient, sendAll } from '../client/jobs.ts'
import { median, type Row, ratioAtLeast, ratioAtMost, timeSeconds } from '../measurements.ts'
import { inRounds, type Part, type Stage, settle } from '../stage.ts'
import { createSource, type Download, downloadRanges, signedDownload, uploadInChunks } from '../transfers.ts'
import { prepareAlcove } from './mixed.ts'

const SMALL = { files: 1000, size: 10 * KIBIBYTE } as const
const LISTED = { folder: 'ten-thousand', files: 10_000 } as const
const RANGES = 200
const RANGE_OF = 128 * MEBIBYTE
const CLIENTS = 50
const SECONDS = 10
const TIMES = 10
const STARTS = 5
/** Texts in many of the names `file-01234.bin`, in some, and in none. */
const TEXTS = ['file', '123', '0123', 'nothing']

type Side = Awaited<ReturnType<typeof prepare>>
type Figures = Map<string, number[]>

/** Measures the same work on PostgreSQL, which waits for the disk, as on SQLite. */
export const databases: Part = {
  name: 'databases',
  needsCurl: true,
  async run(stage) {
    const postgres = await startPostgres('durable')
    try {
      return await measure(stage, postgres.url)
    } finally {
      await postgres.stop()
    }
  },
}

async function measure(stage: Stage, databaseUrl: string): Promise<Row[]> {
  const start = async (name: string, url?: string) => {
    const dir = join(stage.dir, name)
    await mkdir(dir)
    return prepare(stage, dir, await startAlcove(dir, undefined, url))
  }
  const sqlite = await start('sqlite')
  const postgres = await start('postgres', databaseUrl)
  const [ours, theirs]: [Figures, Figures] = [new Map(), new Map()]
  await inRounds(stage, async (round) => {
    await run(sqlite, round, theirs)
    await run(postgres, round, ours)
  })
  await timeStarts(sqlite, theirs)
  await timeStarts(postgres, ours)
  return [...ours].map(([what, alcove]) => ({
    what: `PostgreSQL: ${what}`,
    alcove,
    reference: { name: 'SQLite', figures: theirs.get(what) ?? [] },
    floor: what.endsWith('/s') ? ratioAtLeast(0.67) : ratioAtMost(1.5),
  }))
}

/** Fills an account with what is read. */
async function prepare(stage: Stage, dir: string, alcove: Alcove) {
  const account = await openAccount(alcove)
  const target = alcoveTarget(account)
  stage.say(`${LISTED.files.toLocaleString('en-US')} files are uploaded`)
  await sendAll({ target, via: 'http', ...LISTED, size: KIBIBYTE, atOnce: 6 })
  const folderId = await findFolderId(account, LISTED.folder)
  await uploadInChunks(account, await createSource(dir, RANGE_OF), 'large', 1)
  const range = await signedDownload(account, 'large')
  const mix = await prepareAlcove(account, alcove.pid)
  return { dir, alcove, account, folderId, range, mix }
}

async function run({ account, folderId, range, mix }: Side, round: number, into: Figures): Promise<void> {
  const folders: string[] = []
  const add = (what: string, value: number) => into.set(what, [...(into.get(what) ?? []), value])
  for (const isCompletedLater of [false, true]) {
    for (const atOnce of [1, 6]) {
      await settle()
      const folder = `small-${isCompletedLater}-${atOnce}-${round}`
      folders.push(folder)
      const job = { target: alcoveTarget(account), via: 'http', folder, ...SMALL, atOnce, isCompletedLater } as const
      const what = isCompletedLater ? 'a chunk and its completion each' : 'one request each'
      add(`1,000 files of 10 KiB, ${what}, ${atOnce} at a time, files/s`, SMALL.files / (await sendAll(job)))
    }
  }
  add(`1 MiB range by a signed address, p50 of ${RANGES}, ms`, await timeRanges(range))
  const mixing = { ...mix, folder: `writing-${round}`, size: 100 * KIBIBYTE, clients: CLIENTS, seconds: SECONDS }
  const mixed = await runClient({ work: 'mix', ...mixing })
  if (mixed.firstFailure) throw new Error(mixed.firstFailure)
  add(`${CLIENTS} clients, list + 100 KiB down + 100 KiB up, operations/s`, mixed.operations / mixed.seconds)
  add('… p99, ms', mixed.p99)
  const list = pageOf(account, `${listFiles.path}?folderId=${folderId}`)
  add('list of 10,000, complete, p50, ms', await timePages([list]))
  const searches = TEXTS.map((q) => pageOf(account, `${searchItems.path}?${new URLSearchParams({ q })}`))
  add('search in their names, warm, p50, ms', await timePages(searches))
  const itemIds = await Promise.all(folders.map((folder) => findFolderId(account, folder)))
  add('4,000 files to the trash, ms', 1000 * (await timeSeconds(() => send(account, trashItems, { itemIds }))))
  add('… deleted there, ms', 1000 * (await timeSeconds(() => send(account, emptyTrash, {}))))
}

async function timeRanges(range: Download): Promise<number> {
  const starts = Array.from({ length: RANGES }, () => Math.floor(Math.random() * (RANGE_OF - MEBIBYTE)))
  return median(await downloadRanges(range, starts, MEBIBYTE)) * 1000
}

function pageOf({ api, authorization }: Account, path: string): Page {
  return { url: `${api}${path}`, headers: { authorization } }
}

async function timePages(pages: Page[]): Promise<number> {
  await runClient({ work: 'time pages', pages, times: 3 })
  const { milliseconds } = await runClient({ work: 'time pages', pages, times: TIMES })
  return median(milliseconds.flat())
}

async function timeStarts({ dir, alcove }: Side, into: Figures): Promise<void> {
  await alcove.stop()
  const times: number[] = []
  for (let time = 0; time < STARTS; time += 1) {
    const again = await startAlcove(dir, undefined, alcove.databaseUrl)
    times.push(again.startedIn)
    await again.stop()
  }
  into.set('cold start, ms', times)
}
