import { randomBytes } from 'node:crypto'
import { createFolder } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { searchItems } from '@alcove/contract/search'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { type Nginx, noNginx, startNginx } from '@alcove/server/testing/engines/nginx-engine'
import { startPostgres } from '@alcove/server/testing/engines/postgres-engine'
import { type ServerProcess, startServerProcess } from '@alcove/server/testing/engines/server-process'
import { createTestDatabase } from '@alcove/server/testing/engines/test-databases'
import { fillFolder } from '@alcove/server/testing/factories/many-items'
import { type Page, runClient } from '../client/jobs.ts'
import { createControlGroup } from '../control-group.ts'
import { type Row, ratioAtLeast } from '../measurements.ts'
import { makeNames } from '../names.ts'
import { inRounds, type Part, type Stage } from '../stage.ts'

const FILES = 10_000
const SEARCHES = ['img_2024', 'report', 'lisbon', 'jpg', '東京']
const CLIENTS = 24
const SECONDS = 10
/** The share of a core for each server, so that two servers, database, nginx and clients fit on two cores. */
const SHARE = 0.2

/** Compares two servers behind nginx with one, on one PostgreSQL. */
export const servers: Part = {
  name: 'servers',
  needsCurl: false,
  async run(stage) {
    if (noNginx) {
      stage.say(`skipped${noNginx}`)
      return []
    }
    const postgres = await startPostgres()
    process.env.ALCOVE_TEST_POSTGRES_URL = postgres.url
    const database = await createTestDatabase()
    const settings = { ALCOVE_DATABASE_URL: database.url, ALCOVE_SECRET: randomBytes(16).toString('hex') }
    const both = [await startServerProcess(settings), await startServerProcess(settings)] as const
    const confined = both.map(({ process: { pid } }) => createControlGroup(`alcove-bench-${pid}`, { cores: SHARE }))
    for (const [index, group] of confined.entries()) group?.add(both[index]?.process.pid as number)
    const areConfined = confined.every((one) => one !== undefined)
    const proxies: Nginx[] = []
    try {
      const requested = await fill(both[0], database.url)
      for (const behind of [both.slice(0, 1), both]) {
        proxies.push(await startNginx({ servers: behind.map(({ url }) => new URL(url).host) }))
      }
      return await compare(stage, areConfined, proxies as [Nginx, Nginx], requested)
    } finally {
      for (const proxy of proxies) await proxy.stop()
      await Promise.all(both.map((server) => server.stop()))
      for (const one of confined) one?.release()
      await database.drop()
      await postgres.stop()
    }
  },
}

interface Requests {
  paths: string[]
  headers: Record<string, string>
}

/** Creates a folder of 10,000 files, and the requests: its first page and searches in turn. */
async function fill(server: ServerProcess, databaseUrl: string): Promise<Requests> {
  const { client, token } = await signUp(server.url, 'bench@example.com', [server.dataDir])
  const { id: folderId } = (await client.call(createFolder, { folderName: 'Full' })).body
  await fillFolder(databaseUrl, folderId, makeNames(FILES))
  const list = `/api${listItems.path}?${new URLSearchParams({ folderId })}`
  const paths = SEARCHES.flatMap((q) => [list, `/api${searchItems.path}?${new URLSearchParams({ q })}`])
  return { paths, headers: { authorization: `Bearer ${token}` } }
}

async function compare(
  stage: Stage,
  areConfined: boolean,
  [beforeOne, beforeTwo]: [Nginx, Nginx],
  { paths, headers }: Requests,
): Promise<Row[]> {
  if (!areConfined) stage.say('the servers share all cores, because this system has no control groups to limit them')
  const measure = async ({ host, port, certificate }: Nginx) => {
    const pages = paths.map((path): Page => ({ url: `https://127.0.0.1:${port}${path}`, headers }))
    const job = { work: 'load', pages, clients: CLIENTS, certificate, host } as const
    await runClient({ ...job, seconds: 2 })
    const { responses, seconds } = await runClient({ ...job, seconds: SECONDS })
    return responses / seconds
  }
  const ones: number[] = []
  const twos: number[] = []
  await inRounds(stage, async () => {
    ones.push(await measure(beforeOne))
    twos.push(await measure(beforeTwo))
  })
  const what = areConfined ? `two servers, ${SHARE} of a core each` : 'two servers'
  return [
    {
      what: `${what}, behind nginx: lists and searches, per second`,
      alcove: twos,
      reference: { name: 'one server', figures: ones },
      floor: ratioAtLeast(1.6),
    },
  ]
}
