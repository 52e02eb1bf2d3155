import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ServedAccount, serveAccount } from './served-account.ts'
import { SyncClient, syncPrograms } from './sync-client.ts'

/** Seconds in which 100,000 files must be sent. */
const LIMIT = 540
/** Milliseconds in which the server must have renamed a folder of 10,000 files. */
const RENAMED_WITHIN = 1_000

let account: ServedAccount
beforeEach(async () => {
  account = await serveAccount()
})
afterEach(() => account.close())

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

it('nextcloudcmd sends 100,000 files of 4 KiB in less than nine minutes', async () => {
  const client = await SyncClient.create('nextcloudcmd', account, 'many')
  await client.makeTree('tree', { files: 100_000, folders: 1_000, size: 4_096 })
  const seconds = await time(() => client.sync())
  console.log(`100,000 files of 4 KiB: ${seconds.toFixed(0)} s`)
  expect(seconds).toBeLessThan(LIMIT)
  const unchanged = await client.sync()
  console.log(`… and the list of their folders: ${unchanged.requests.length} requests`)
})

it.each(syncPrograms)('%s renames a folder of 10,000 files with one request of less than a second', async (program) => {
  const client = await SyncClient.create(program, account, 'renaming')
  const sent = await time(async () => {
    await client.makeTree('before', { files: 10_000, folders: 500, size: 4_096 })
    await client.sync()
  })
  await client.sync()
  await rename(join(client.folder, 'before'), join(client.folder, 'after'))
  const { output, requests } = await client.sync()
  const moves = requests.flatMap((request, index) => (request.startsWith('MOVE') ? [index] : []))
  expect(moves).toEqual([requests.length - 1])
  const started = readTime(output, /"MOVE" "http/)
  const answered = readTime(output, /MOVE of .*FINISHED/)
  const ended = readTime(output, /./, true)
  console.log(
    `${program}: 10,000 files sent in ${sent.toFixed(0)} s; MOVE answered in ${answered - started} ms, ` +
      `then ${((ended - answered) / 1000).toFixed(1)} s in the client without a request`,
  )
  expect(answered - started).toBeLessThan(RENAMED_WITHIN)
})

/** Returns the time of the first or last line of a client's log that matches, in milliseconds of the day. */
function readTime(log: string, pattern: RegExp, isLast = false): number {
  const lines = log.split('\n').filter((line) => /^\d\d-\d\d \d\d:/.test(line) && pattern.test(line))
  const [, hours, minutes, seconds, milliseconds] =
    /^\d\d-\d\d (\d\d):(\d\d):(\d\d):(\d\d\d)/.exec(lines.at(isLast ? -1 : 0) ?? '') ?? []
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(milliseconds)
}
