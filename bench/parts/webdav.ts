import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createAppPassword } from '@alcove/contract/app-passwords'
import { KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'
import { type Alcove, openAccount, send, startAlcove } from '../alcove.ts'
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

/** Measures WebDAV: one large file, many small ones, a folder of 10,000, and the memory of many uploads at once. */
export const webdav: Part = {
  name: 'webdav',
  needsCurl: true,
  async run(stage) {
    const alcove = await startAlcove(stage.dir)
    const drive = await openDrive(alcove)
    return [
      ...(await measureLargeFile(stage, drive)),
      ...(await measureSmallFiles(stage, drive)),
      ...(await measureFolders(stage, drive)),
      ...(await measureMemory(stage, alcove, drive)),
    ]
  },
}

/** Opens an account and returns its drive, with an app password as clients use it. */
async function openDrive(alcove: Alcove): Promise<Target> {
  const account = await openAccount(alcove)
  const { user, secret } = await send(account, createAppPassword, { name: 'bench', scope: 'write' })
  const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  return { kind: 'put', url: new URL('/dav', alcove.api).href, headers: { authorization } }
}

async function makeFolder({ url, headers }: Target, name: string): Promise<void> {
  const { status } = await fetch(`${url}/${name}`, { method: 'MKCOL', headers })
  if (status !== 201) throw new Error(`MKCOL ${name} returned ${status}.`)
}

async function measureLargeFile(stage: Stage, drive: Target) {
  const source = await stage.source()
  const nginx = await startNginx(stage.dir)
  const speed = (seconds: number) => source.size / MEBIBYTE / seconds
  const ours: number[] = []
  const theirs: number[] = []
  await putFile(`${drive.url}/warm-up`, source.path, drive.headers)
  await inRounds(stage, async (round) => {
    if (nginx) {
      await settle()
      theirs.push(speed(await putFile(`${nginx.url}/large`, source.path)))
      await rm(join(nginx.filesDir, 'large'))
    }
    await settle()
    ours.push(speed(await putFile(`${drive.url}/large-${round}`, source.path, drive.headers)))
  })
  await nginx?.stop()
  const what = `WebDAV: PUT of ${source.size / MEBIBYTE} MiB, MiB/s`
  return [{ what, alcove: ours, reference: { name: 'nginx PUT', figures: theirs }, floor: ratioAtLeast(0.85) }]
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
