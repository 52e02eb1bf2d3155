import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createFolder, getStorage } from '@alcove/contract/files'
import { KIBIBYTE, MEBIBYTE } from '@alcove/contract/limits'
import { createTestApp, type TestApp } from '@alcove/server/testing/engines/test-app'
import type { TestUser } from '@alcove/server/testing/factories/users'
import { percentile, type Row, ratioAtMost, timeSeconds, valueAtMost } from '../measurements.ts'
import { type Ran, runMeasured, runToEnd } from '../processes.ts'
import { inRounds, onBothDatabases, type Part, type Stage, settle } from '../stage.ts'

/** Files of a folder, and folders of the folder around them. */
const [FILES_EACH, FOLDERS_EACH] = [100, 12]
/** The sizes of every second file in KiB, from … to. The first half becomes rows of the database of small blobs. On average 100 KiB. */
const SIZES = [
  [4, 36],
  [68, 292],
] as const
/** The time between two changes of the writer beside the import, in milliseconds. */
const PAUSE = 100

/** Measures `alcove import` of a tree against `cp -r`, and what it costs a server that runs beside it. */
export const importing: Part = {
  name: 'import',
  needsCurl: false,
  async run(stage) {
    stage.say(`${stage.files.toLocaleString('en-US')} files are written`)
    const tree = join(stage.dir, 'tree')
    const bytes = writeTree(tree, stage.files)
    await mkdir(join(stage.dir, 'empty'))
    const what = `import of ${stage.files.toLocaleString('en-US')} files, ${(bytes / 1e9).toFixed(1)} GB`
    return onBothDatabases((engine) => measure(stage, { engine, what: `${engine}: ${what}`, tree }))
  },
}

/** Writes a tree like that of a photo library, and returns its size. */
function writeTree(tree: string, files: number): number {
  const noise = randomBytes(MEBIBYTE)
  let bytes = 0
  let folder = ''
  for (let index = 0; index < files; index++) {
    if (index % FILES_EACH === 0) {
      const at = index / FILES_EACH
      folder = join(tree, String(2000 + Math.floor(at / FOLDERS_EACH)), `event ${at % FOLDERS_EACH}`)
      mkdirSync(folder, { recursive: true })
    }
    const [from, to] = SIZES[index % 2 === 0 ? 0 : 1]
    const size = (from + ((index * 7919) % (to - from))) * KIBIBYTE
    const start = (index * 104_729) % (MEBIBYTE - size)
    const path = join(folder, `IMG_${String(index).padStart(6, '0')}.jpg`)
    writeFileSync(path, noise.subarray(start, start + size))
    utimesSync(path, 1_500_000_000 + index, 1_500_000_000 + index)
    bytes += size
  }
  return bytes
}

interface Measured {
  engine: string
  what: string
  tree: string
}

/** What a server's user notices beside other work, in milliseconds. */
interface Noticed {
  /** How long each change waited for its lock. */
  locks: number[]
  changes: number[]
  reads: number[]
}

interface Pair {
  imported: Ran & Noticed
  idle: Ran
  /** `seconds` without the sync that makes the copy durable, as the import is. */
  copied: { seconds: number; durable: number } & Noticed
}

async function measure(stage: Stage, { engine, what, tree }: Measured): Promise<Row[]> {
  const pairs: Pair[] = []
  await inRounds(stage, async (round) => {
    const dataDir = join(stage.dir, `data-${engine}-${round}`)
    await mkdir(dataDir)
    const app = await createTestApp({ dataDir })
    try {
      const user = await app.createUser({ planName: '2 TB Annually' })
      const pair = await measurePair({ app, user, tree, copy: join(stage.dir, 'copy') }, round % 2 === 0)
      pairs.push(pair)
      const { imported, copied } = pair
      stage.say(
        `${engine}: import ${imported.seconds.toFixed(1)} s, cp -r ${copied.seconds.toFixed(1)} s, with sync ` +
          `${copied.durable.toFixed(1)} s: ${(imported.seconds / copied.durable).toFixed(2)} ×`,
      )
    } finally {
      await app.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
  return describe(what, pairs)
}

interface Places {
  app: TestApp
  user: TestUser
  tree: string
  copy: string
}

async function measurePair({ app, user, tree, copy }: Places, isCopyFirst: boolean): Promise<Pair> {
  const idle = await runImport(app, user, join(tree, '../empty'))
  const importTree = async () => {
    await settle()
    return watching(app, user, () => runImport(app, user, tree))
  }
  const copyTree = async () => {
    await settle()
    const copied = await watching(app, user, async () => {
      const seconds = await timeSeconds(() => runToEnd('cp', ['-r', tree, copy]))
      return { seconds, durable: seconds + (await timeSeconds(() => runToEnd('sync', ['-f', copy]))) }
    })
    await rm(copy, { recursive: true })
    return copied
  }
  if (!isCopyFirst) return { idle, imported: await importTree(), copied: await copyTree() }
  const copied = await copyTree()
  return { idle, imported: await importTree(), copied }
}

const CLI = join(import.meta.dirname, '../../server/src/cli.ts')

function runImport({ services: { config } }: TestApp, { email }: TestUser, folder: string): Promise<Ran> {
  return runMeasured(process.execPath, [CLI, 'import', email, folder], {
    PATH: process.env.PATH,
    ALCOVE_DATA_DIR: config.dataDir,
    ...(config.databaseUrl !== undefined && { ALCOVE_DATABASE_URL: config.databaseUrl }),
  })
}

/** Measures some changes and reads of a user each second while work runs. */
async function watching<Done>(app: TestApp, user: TestUser, work: () => Promise<Done>): Promise<Done & Noticed> {
  const noticed: Noticed = { locks: [], changes: [], reads: [] }
  let isOver = false
  const watch = (async () => {
    while (!isOver) {
      noticed.locks.push(await waitForLock(app, user))
      noticed.changes.push(
        1000 * (await timeSeconds(() => user.client.call(createFolder, { folderName: randomUUID() }))),
      )
      noticed.reads.push(1000 * (await timeSeconds(() => user.client.call(getStorage, {}))))
      await wait(PAUSE)
    }
  })()
  try {
    return { ...(await work()), ...noticed }
  } finally {
    isOver = true
    await watch
  }
}

/** Returns how many milliseconds it takes until the user's row is locked, without the sync of the commit. */
async function waitForLock({ services: { db } }: TestApp, { id }: TestUser): Promise<number> {
  const start = performance.now()
  return db.transaction().execute(async (tx) => {
    await tx
      .updateTable('users')
      .set((eb) => ({ last_seen_at: eb.ref('last_seen_at') }))
      .where('id', '=', id)
      .execute()
    return performance.now() - start
  })
}

function describe(what: string, pairs: readonly Pair[]): Row[] {
  const values = (of: (pair: Pair) => number) => pairs.map(of)
  const noticed = (name: string, of: (noticed: Noticed) => number): Row => ({
    what: `… ${name}, ms`,
    alcove: values(({ imported }) => of(imported)),
    reference: { name: 'during cp -r', figures: values(({ copied }) => of(copied)) },
  })
  return [
    {
      what: `${what}, s`,
      alcove: values(({ imported }) => imported.seconds),
      reference: { name: 'cp -r and sync', figures: values(({ copied }) => copied.durable) },
      floor: ratioAtMost(1.5),
    },
    {
      what: '… against a copy that is not durable, s',
      alcove: values(({ imported }) => imported.seconds),
      reference: { name: 'cp -r', figures: values(({ copied }) => copied.seconds) },
      aim: ratioAtMost(1.5),
    },
    {
      what: '… highest PSS, more than for an empty folder, MiB',
      alcove: values(({ imported, idle }) => (imported.peak.pss - idle.peak.pss) / MEBIBYTE),
      floor: valueAtMost(100),
    },
    {
      what: '… of that without pages of files, MiB',
      alcove: values(({ imported, idle }) => (imported.peak.anonymous - idle.peak.anonymous) / MEBIBYTE),
    },
    { ...noticed('longest wait of a change for its lock', ({ locks }) => Math.max(...locks)), floor: valueAtMost(50) },
    noticed('p95 of these waits', ({ locks }) => percentile(locks, 0.95)),
    noticed('longest change of the user', ({ changes }) => Math.max(...changes)),
    noticed('p95 of these changes', ({ changes }) => percentile(changes, 0.95)),
    noticed('p95 of GET /storage', ({ reads }) => percentile(reads, 0.95)),
  ]
}
