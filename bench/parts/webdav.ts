import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createAppPassword } from '@alcove/contract/app-passwords'
import { KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'
import { emptyTrash } from '@alcove/contract/trash'
import { type Account, type Alcove, openAccount, send, startAlcove } from '../alcove.ts'
import { runClient, type SentRequest, sendAll, type Target } from '../client/jobs.ts'
import { median, ratioAtLeast, valueAtLeast, valueAtMost } from '../measurements.ts'
import { readMemory, readRss } from '../processes.ts'
import { startNginx, startRcloneServer } from '../references.ts'
import { inRounds, type Part, type Stage, settle } from '../stage.ts'
import { putFile } from '../transfers.ts'

const FILES = 1000
const SIZE = 10 * KIBIBYTE
const AT_ONCE = 6
const LISTED = 10_000
const TIMES = 20
const PARALLEL = 100
const PARALLEL_SIZE = 4 * MEBIBYTE
const SAMPLE_INTERVAL = 50
const CHECK_INTERVAL = 500

/** Measures WebDAV: one large file, many small ones, a folder of 10,000, and the memory of many uploads at once. */
export const webdav: Part = {
  name: 'webdav',
  needsCurl: true,
  async run(stage) {
    const alcove = await startAlcove(stage.dir)
    const account = await openAccount(alcove)
    const drive = await openDrive(account)
    return [
      ...(await measureLargeFile(stage, drive, account)),
      ...(await measureSmallFiles(stage, drive)),
      ...(await measureFolders(stage, drive)),
      ...(await measureMemory(stage, alcove, drive)),
    ]
  },
}

/** Returns the drive of an account, with an app password as clients use it. */
async function openDrive(account: Account): Promise<Target> {
  const { user, secret } = await send(account, createAppPassword, { name: 'bench', scope: 'write' })
  const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  return { kind: 'put', url: new URL('/dav', account.api).href, headers: { authorization } }
}

async function makeFolder({ url, headers }: Target, name: string): Promise<void> {
  const { status } = await fetch(`${url}/${name}`, { method: 'MKCOL', headers })
  if (status !== 201) throw new Error(`MKCOL ${name} returned ${status}.`)
}

async function measureLargeFile(stage: Stage, drive: Target, account: Account) {
  const source = await stage.source()
  const nginx = await startNginx(stage.dir)
  const speed = (seconds: number) => source.size / MEBIBYTE / seconds
  const ours: number[] = []
  const theirs: number[] = []
  // Both remove each file before the next one is sent: memory that no file has used before makes a virtual machine write at half
  // the speed.
  const putOurs = async (name: string) => {
    const seconds = await putFile(`${drive.url}/${name}`, source.path, drive.headers)
    await waitForChecksums(drive, name)
    await fetch(`${drive.url}/${name}`, { method: 'DELETE', headers: drive.headers })
    await send(account, emptyTrash, {})
    return seconds
  }
  await putOurs('warm-up')
  await inRounds(stage, async () => {
    if (nginx) {
      await settle()
      theirs.push(speed(await putFile(`${nginx.url}/large`, source.path)))
      await rm(join(nginx.filesDir, 'large'))
    }
    await settle()
    ours.push(speed(await putOurs('large')))
  })
  await nginx?.stop()
  const what = `WebDAV: PUT of ${source.size / MEBIBYTE} MiB, MiB/s`
  return [{ what, alcove: ours, reference: { name: 'nginx PUT', figures: theirs }, floor: ratioAtLeast(0.85) }]
}

/** Waits until the checksums of a large file have been computed in the background, which takes a core for seconds. */
async function waitForChecksums({ url, headers }: Target, name: string): Promise<void> {
  const body = '<propfind xmlns="DAV:"><prop><checksums xmlns="http://owncloud.org/ns"/></prop></propfind>'
  for (;;) {
    const response = await fetch(`${url}/${name}`, { method: 'PROPFIND', headers: { ...headers, depth: '0' }, body })
    if ((await response.text()).includes('SHA1:')) return
    await wait(CHECK_INTERVAL)
  }
}

async function measureSmallFiles(stage: Stage, drive: Target) {
  const filesDir = join(stage.dir, 'rclone')
  await mkdir(filesDir)
  const rclone = await startRcloneServer(stage.dir, filesDir)
  const figures = { six: [] as number[], one: [] as number[], rclone: [] as number[] }
  const time = async (target: Target, folder: string, atOnce: number) => {
    await makeFolder(target, folder)
    await settle()
    return FILES / (await sendAll({ target, via: 'http', folder, files: FILES, size: SIZE, atOnce }))
  }
  await time(drive, 'warm-up-small', AT_ONCE)
  await inRounds(stage, async (round) => {
    if (rclone) figures.rclone.push(await time({ kind: 'put', url: rclone.url, headers: {} }, `${round}`, AT_ONCE))
    figures.six.push(await time(drive, `six-${round}`, AT_ONCE))
    figures.one.push(await time(drive, `one-${round}`, 1))
  })
  await rclone?.stop()
  return [
    {
      what: `WebDAV: 1,000 files of 10 KiB, ${AT_ONCE} at a time, files/s`,
      alcove: figures.six,
      reference: { name: 'rclone serve webdav', figures: figures.rclone },
      floor: ratioAtLeast(1),
      aim: valueAtLeast(1000),
    },
    { what: '… one at a time, files/s', alcove: figures.one, aim: valueAtLeast(500) },
  ]
}

async function measureFolders(stage: Stage, drive: Target) {
  stage.say(`a folder of ${LISTED.toLocaleString('en-US')} files`)
  await makeFolder(drive, 'listed')
  await sendAll({ target: drive, via: 'http', folder: 'listed', files: LISTED, size: KIBIBYTE, atOnce: AT_ONCE })
  const propfind = (path: string, depth: string): SentRequest[] =>
    Array.from({ length: TIMES }, () => ({
      method: 'PROPFIND',
      url: `${drive.url}/${path}`,
      headers: { ...drive.headers, depth },
    }))
  const { milliseconds } = await runClient({
    work: 'time requests',
    requests: [propfind('listed/', '1'), propfind('', '0')],
  })
  return [
    { what: 'WebDAV: PROPFIND of 10,000 files, ms', alcove: [median(milliseconds[0] ?? [])], floor: valueAtMost(120) },
    { what: '… of the root alone, ms', alcove: [median(milliseconds[1] ?? [])], floor: valueAtMost(5) },
  ]
}

async function measureMemory(stage: Stage, { pid }: Alcove, drive: Target) {
  stage.say(`${PARALLEL} uploads at once`)
  await makeFolder(drive, 'parallel')
  const sendParallel = () =>
    sendAll({ target: drive, via: 'http', folder: 'parallel', files: PARALLEL, size: PARALLEL_SIZE, atOnce: PARALLEL })
  // The first time also fills caches and compiles code.
  await sendParallel()
  const before = readMemory(pid).rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, readRss(pid))
  }, SAMPLE_INTERVAL)
  await sendParallel().finally(() => clearInterval(timer))
  const what = `WebDAV: memory that ${PARALLEL} uploads at once add, MiB`
  return [{ what, alcove: [(peak - before) / MEBIBYTE], floor: valueAtMost(50) }]
}
