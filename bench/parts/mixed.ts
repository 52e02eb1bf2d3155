import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { listFiles } from '@alcove/contract/files'
import { KIBIBYTE } from '@alcove/contract/limits'
import { type Account, findFolderId, openAccount, startAlcove } from '../alcove.ts'
import {
  alcoveTarget,
  type Mixed,
  nameOf,
  nginxTarget,
  type Page,
  runClient,
  sendAll,
  type Target,
} from '../client/jobs.ts'
import { ratioAtLeast, valueAtMost } from '../measurements.ts'
import { readCpuSeconds } from '../processes.ts'
import { type Nginx, startNginx } from '../references.ts'
import { inRounds, type Part, settle } from '../stage.ts'

const CLIENTS = 50
const SECONDS = 20
const SIZE = 100 * KIBIBYTE
/** The folder that is listed and read. Uploads go into another one, so that the list doesn't change. */
const FOLDER = 'reading'
const FILES = 100

interface Side {
  target: Target
  list: Page
  downloads: Page[]
  pids: number[]
}

type Statistics = Mixed & { cpu: number }

/** Measures 50 clients that list, download and upload without a pause. nginx serves the list as a file. */
export const mixed: Part = {
  name: 'mixed',
  needsCurl: false,
  async run(stage) {
    const alcove = await startAlcove(stage.dir)
    const nginx = await startNginx(stage.dir)
    const ours = await prepareAlcove(await openAccount(alcove), alcove.pid)
    const theirs = nginx && (await prepareNginx(nginx, ours.list))

    const measure = async ({ pids, ...side }: Side, folder: string): Promise<Statistics> => {
      await settle()
      const before = readCpuSeconds(pids)
      const result = await runClient({
        ...{ work: 'mix', ...side, folder },
        ...{ size: SIZE, clients: CLIENTS, seconds: SECONDS },
      })
      if (result.firstFailure) stage.say(`the first failure: ${result.firstFailure}`)
      return { ...result, cpu: readCpuSeconds(pids) - before }
    }
    const alcoves: Statistics[] = []
    const nginxes: Statistics[] = []
    await inRounds(stage, async (round) => {
      alcoves.push(await measure(ours, `writing-${round}`))
      if (theirs) nginxes.push(await measure(theirs, `writing-${round}`))
    })
    const both = (figure: (figures: Statistics) => number) => ({
      alcove: alcoves.map(figure),
      reference: { name: 'nginx', figures: nginxes.map(figure) },
    })
    return [
      {
        what: `${CLIENTS} clients, list + 100 KiB down + 100 KiB up, operations/s`,
        ...both(({ operations, seconds }) => operations / seconds),
        aim: ratioAtLeast(0.3),
      },
      { what: '… p99, ms', ...both(({ p99 }) => p99), aim: valueAtMost(90) },
      { what: '… server CPU per operation, ms', ...both((f) => (f.cpu / f.operations) * 1000), aim: valueAtMost(0.8) },
      {
        what: '… failed, all rounds together',
        alcove: [alcoves.reduce((sum, { failed }) => sum + failed, 0)],
        aim: valueAtMost(0),
      },
    ]
  },
}

/** Uploads the folder. May be repeated. */
export async function prepareAlcove(account: Account, pid: number): Promise<Side> {
  const target = alcoveTarget(account)
  await fill(target)
  const { headers } = target
  const folderId = await findFolderId(account, FOLDER)
  const address = (path: string, query: Record<string, string>) => ({
    url: `${account.api}${path}?${new URLSearchParams(query)}`,
    headers,
  })
  const downloads = Array.from({ length: FILES }, (_unused, index) =>
    address(fetchFile.path, { filename: nameOf(index), folderId }),
  )
  return { target, list: address(listFiles.path, { folderId }), downloads, pids: [pid] }
}

async function prepareNginx(nginx: Nginx, list: Page): Promise<Side> {
  const target = nginxTarget(nginx)
  await fill(target)
  const response = await (await fetch(list.url, list)).arrayBuffer()
  await writeFile(join(nginx.filesDir, 'list.json'), Buffer.from(response), { mode: 0o644 })
  const downloads = Array.from({ length: FILES }, (_unused, index) => ({
    url: `${nginx.url}/${FOLDER}/${nameOf(index)}`,
    headers: {},
  }))
  return { target, list: { url: `${nginx.url}/list.json`, headers: {} }, downloads, pids: nginx.pids }
}

async function fill(target: Target): Promise<void> {
  await sendAll({ target, via: 'http', folder: FOLDER, files: FILES, size: SIZE, atOnce: 6 })
}
