import { setTimeout as wait } from 'node:timers/promises'
import { getThumbnail } from '@alcove/contract/bytes'
import { createFolder, listFiles } from '@alcove/contract/files'
import { copyItems, getItemsDownloadUrl, listItems } from '@alcove/contract/item-calls'
import { KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'
import { type Account, type Alcove, findFolderId, openAccount, send, startAlcove } from '../alcove.ts'
import { alcoveTarget, runClient, sendAll } from '../client/jobs.ts'
import { type ControlGroup, createControlGroup } from '../control-group.ts'
import { type Row, valueAtMost } from '../measurements.ts'
import { readDescendants, readMemory } from '../processes.ts'
import type { Part, Stage } from '../stage.ts'
import { uploadInChunks } from '../transfers.ts'
import { prepareAlcove } from './mixed.ts'
import { drawPhoto, uploadPhoto } from './thumbs.ts'

const MEMORY = 256 * MEBIBYTE
const CORES = 0.5
const UPLOADS = 4
const CLIENTS = 50
const SECONDS = 20
const PICTURES = 200
const SENT = 1000
const IN_ZIP = 10_000
const IN_LIST = 100_000
/** The number of thumbnails that the web loads at once. */
const AT_ONCE = 4
/** How long the server is left alone until it must be near idle again. */
const UNTIL_IDLE = 60_000
const SAMPLE_INTERVAL = 250

/**
 * Runs the server with little memory and half a core through everything that takes memory. Runs once, regardless of `--rounds`.
 * Where control groups can't be created, it runs without limits and tells only how much memory is used.
 */
export const confined: Part = {
  name: 'confined',
  needsCurl: true,
  isOnRequest: true,
  async run(stage) {
    const group = createControlGroup(`alcove-bench-${process.pid}`, { cores: CORES, memory: MEMORY })
    if (!group) stage.say('the server has no limits, because this system has no control groups')
    const alcove = await startAlcove(stage.dir, group)
    try {
      return await load(stage, alcove, group)
    } finally {
      await alcove.stop()
      group?.release()
    }
  },
}

async function load(stage: Stage, alcove: Alcove, group: ControlGroup | undefined): Promise<Row[]> {
  const source = await stage.source()
  const account = await openAccount(alcove)
  await wait(UNTIL_IDLE)
  const idle = measureMemory(alcove)
  const peaks: Row[] = []
  let failed = 0
  /** Does some work, and measures the memory of all processes meanwhile. */
  const during = async <Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    stage.say(what)
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, measureMemory(alcove))
    }, SAMPLE_INTERVAL)
    const startedAt = performance.now()
    try {
      return await work()
    } catch (error) {
      failed += 1
      stage.say(`failed: ${(error as Error).message.slice(-500)}`)
      return undefined
    } finally {
      clearInterval(timer)
      const seconds = (performance.now() - startedAt) / 1000
      stage.say(
        `${what}: ${seconds.toFixed(1)} s, at most ${peak.toFixed(0)} MiB, kills: ${group?.countKills() ?? '?'}`,
      )
      peaks.push({ what: `PSS during ${what}, MiB`, alcove: [peak] })
    }
  }

  await during(`${UPLOADS} large uploads`, () => uploadAll(account, source))
  await during(`${CLIENTS} clients`, () => serveClients(account, alcove.pid))
  await during(`thumbnails of ${PICTURES} pictures`, () => drawThumbnails(account))
  const folders = await during('copying 110,000 files', () => fillFolders(account))
  if (folders) {
    await during('a list of 100,000', () => readList(account, folders.many))
    await during('a ZIP of 10,000', () => readZip(account, folders.some))
    await during('all of it at once', () =>
      Promise.all([
        uploadAll(account, source),
        serveClients(account, alcove.pid),
        drawThumbnails(account),
        readList(account, folders.many),
        readZip(account, folders.some),
      ]),
    )
  }
  stage.say('the server is left alone')
  await wait(UNTIL_IDLE)
  const after = measureMemory(alcove)
  return [
    { what: 'PSS of all processes, idle, MiB', alcove: [idle], aim: valueAtMost(110) },
    ...peaks,
    { what: 'PSS a minute after all of it, MiB', alcove: [after], aim: valueAtMost(220) },
    { what: 'failed requests', alcove: [failed], floor: valueAtMost(0) },
    ...(group ? [{ what: 'killed processes', alcove: [group.countKills()], floor: valueAtMost(0) }] : []),
  ]
}

/** Returns the PSS of the server and its processes in MiB. */
function measureMemory({ pid }: Alcove): number {
  let sum = 0
  try {
    for (const each of readDescendants(pid)) sum += readMemory(each).pss / MEBIBYTE
  } catch {
    // A process has ended meanwhile.
  }
  return sum
}

let uploads = 0

function uploadAll(account: Account, source: Awaited<ReturnType<Stage['source']>>): Promise<unknown> {
  uploads += 1
  return Promise.all(
    Array.from({ length: UPLOADS }, (_unused, index) =>
      uploadInChunks(account, source, `large-${uploads}-${index}`, 1),
    ),
  )
}

async function serveClients(account: Account, pid: number): Promise<void> {
  const { target, list, downloads } = await prepareAlcove(account, pid)
  uploads += 1
  const result = await runClient({
    ...{ work: 'mix', target, list, downloads, folder: `writing-${uploads}` },
    ...{ size: 100 * KIBIBYTE, clients: CLIENTS, seconds: SECONDS },
  })
  if (result.failed > 0) throw new Error(`${result.failed} requests failed: ${result.firstFailure}`)
}

async function drawThumbnails(account: Account): Promise<void> {
  const photo = await drawPhoto(6000, 4000)
  const ids: string[] = []
  uploads += 1
  for (let index = 0; index < PICTURES; index += 1)
    ids.push(await uploadPhoto(account, `${uploads} ${index}.jpg`, photo))
  const { api, authorization } = account
  const drawNext = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const url = `${api}${getThumbnail.path.replace('{id}', id)}?size=256`
      await drain(await fetchPatiently(url, { headers: { authorization } }))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, drawNext))
}

async function fillFolders(account: Account): Promise<{ many: string; some: string }> {
  const target = alcoveTarget(account)
  await sendAll({ target, via: 'http', folder: 'sent', files: SENT, size: KIBIBYTE, atOnce: 6 })
  const allIn = { folderId: await findFolderId(account, 'sent') }
  const { id: some } = await send(account, createFolder, { folderName: 'some' })
  const { id: many } = await send(account, createFolder, { folderName: 'many' })
  for (let made = 0; made < IN_ZIP; made += SENT) await send(account, copyItems, { allIn, targetFolderId: some })
  for (let made = 0; made < IN_LIST; made += SENT) await send(account, copyItems, { allIn, targetFolderId: many })
  return { many, some }
}

/** Reads the folder as one list, and in the pages that the web requests. */
async function readList({ api, authorization }: Account, folderId: string): Promise<void> {
  const headers = { authorization }
  await drain(await fetchPatiently(`${api}${listFiles.path}?folderId=${folderId}`, { headers }))
  await drain(await fetchPatiently(`${api}${listItems.path}?folderId=${folderId}&limit=5000`, { headers }))
}

async function readZip(account: Account, folderId: string): Promise<void> {
  const { url } = await send(account, getItemsDownloadUrl, { allIn: { folderId } })
  const { pathname, search } = new URL(url)
  await drain(await fetchPatiently(`${new URL(account.api).origin}${pathname}${search}`))
}

/** Repeats a request that the server refuses for now. Throws on any other failure. */
async function fetchPatiently(url: string, options: RequestInit = {}): Promise<Response> {
  for (;;) {
    const response = await fetch(url, options)
    if (response.ok) return response
    const pause = Number(response.headers.get('retry-after'))
    if (![429, 503].includes(response.status) || !pause) throw new Error(`${url} returned ${response.status}`)
    await response.arrayBuffer()
    await wait(pause * 1000)
  }
}

async function drain(response: Response): Promise<void> {
  for await (const _piece of response.body ?? []) {
    // Only the server's memory matters.
  }
}
