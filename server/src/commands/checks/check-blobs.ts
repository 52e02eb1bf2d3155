import type { Services } from '../../context.ts'
import { describeSize } from '../../tree/quota.ts'
import { Progress } from '../progress.ts'
import { workAhead } from '../work-ahead.ts'
import { nameFiles } from './name-files.ts'
import { describeReadFailure, type Measured, readDigest } from './read-digest.ts'
import { recordDigest } from './record-digest.ts'

type Checking = Pick<Services, 'db' | 'blobs'>

interface Blob {
  key: string
  size: number
  sha256: string | null
}

interface Checked {
  fault?: string
  isRecorded?: boolean
}

const PAGE = 500
const AT_ONCE = 4

/** Reads every blob and compares it with what is recorded; answers how many are not as they were stored. */
export async function checkBlobs(
  checking: Checking,
  { print, tell }: { print(line: string): void; tell(line: string): void },
): Promise<number> {
  const total = await countBlobs(checking)
  const progress = new Progress('Checked', total, tell)
  let [checked, damaged, recorded] = [0, 0, 0]
  for await (const { blob, fault, isRecorded } of workAhead(listBlobs(checking), AT_ONCE, (one) =>
    checkBlob(checking, one),
  )) {
    checked += 1
    progress.add(blob.size)
    if (isRecorded) recorded += 1
    if (fault === undefined) continue
    damaged += 1
    const files = await nameFiles(checking.db, blob.key)
    for (const file of files.length > 0 ? files : ['No file']) print(`${file}: ${fault} (blob ${blob.key}).`)
  }
  const state = damaged === 0 ? 'all are as they were stored' : `${damaged} missing or damaged`
  print(`Blobs: ${checked} checked, ${describeSize(total.bytes)}, ${state}.`)
  if (recorded > 0) print(`Digests: ${recorded} had not been computed yet and are recorded now.`)
  return damaged
}

async function checkBlob({ db, blobs }: Checking, blob: Blob): Promise<Checked & { blob: Blob }> {
  const measured = await readDigest(blobs, blob.key).catch(describeReadFailure)
  const fault = typeof measured === 'string' ? measured : compare(blob, measured)
  if (fault !== undefined) {
    // The server may have removed it just now: the row goes before the bytes.
    const isThere = await db.selectFrom('blobs').select('key').where('key', '=', blob.key).executeTakeFirst()
    return isThere ? { blob, fault } : { blob }
  }
  if (blob.sha256 !== null || typeof measured === 'string') return { blob }
  await recordDigest(db, blob.key, measured.sha256)
  return { blob, isRecorded: true }
}

function compare(blob: Blob, { size, sha256 }: Measured): string | undefined {
  if (size !== blob.size) return `it has ${size} bytes instead of ${blob.size}`
  if (blob.sha256 !== null && blob.sha256 !== sha256) return 'its bytes are not those that were stored'
  return undefined
}

async function* listBlobs({ db }: Checking): AsyncGenerator<Blob> {
  for (let last = ''; ; ) {
    const blobs = await db
      .selectFrom('blobs')
      .select(['key', 'size', 'sha256'])
      .where('key', '>', last)
      .orderBy('key')
      .limit(PAGE)
      .execute()
    yield* blobs
    const end = blobs.at(-1)
    if (!end) return
    last = end.key
  }
}

async function countBlobs({ db }: Checking): Promise<{ blobs: number; bytes: number }> {
  const counted = await db
    .selectFrom('blobs')
    .select((eb) => [eb.fn.countAll<number>().as('blobs'), eb.fn.sum<number | string | null>('size').as('bytes')])
    .executeTakeFirstOrThrow()
  return { blobs: counted.blobs, bytes: Number(counted.bytes ?? 0) }
}
