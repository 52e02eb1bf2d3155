import type { Services } from '../context.ts'
import { describeSize, readFolderPaths } from '../modules/items/index.ts'
import {
  clearDamage,
  describeDifference,
  describeReadFailure,
  type Measured,
  measureBlob,
  noteDamage,
  type RecordedBlob,
} from '../modules/storage/index.ts'
import type { OnBytes } from '../platform/blobs/blob-replica.ts'
import type { Database } from '../platform/db/database.ts'
import type { Operator } from './command.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { Progress } from './progress.ts'

type Checking = Pick<Services, 'db' | 'blobs' | 'clock'>

/** Repairs a blob if possible. */
export type Repair = (blob: RecordedBlob) => Promise<boolean>

type Blob = RecordedBlob & { damaged_at: number | null }

interface Checked {
  blob: Blob
  fault?: string
  isRecorded?: boolean
  isRepaired?: boolean
}

const PAGE = 500
const CONCURRENCY = 8

/** Reads every blob and compares it with its row. Returns the number of damaged blobs. */
export async function checkBlobs(
  checking: Checking,
  output: Pick<Operator, 'print' | 'tell' | 'status'>,
  repair?: Repair,
): Promise<number> {
  const total = await countBlobs(checking)
  const { print } = output
  const progress = new Progress({ what: 'Checked', unit: 'blobs', items: total.blobs, bytes: total.bytes }, output)
  let [checked, damaged, recorded, repaired] = [0, 0, 0, 0]
  const onBytes = (bytes: number) => progress.pass(bytes)
  const all = mapConcurrently(listBlobs(checking), CONCURRENCY, (one) => checkBlob(checking, one, { repair, onBytes }))
  for await (const { blob, fault, isRecorded, isRepaired } of all) {
    checked += 1
    progress.add(0)
    if (isRecorded) recorded += 1
    if (isRepaired) repaired += 1
    if (fault === undefined) continue
    damaged += 1
    const files = await listFilesOfBlob(checking.db, blob.key)
    for (const file of files.length > 0 ? files : ['No file']) print(`${file}: ${fault} (blob ${blob.key}).`)
  }
  const state = damaged === 0 ? 'all are as they were stored' : `${damaged} missing or damaged`
  print(`Blobs: ${checked} checked, ${describeSize(total.bytes)}, ${state}.`)
  if (recorded > 0) print(`Digests: ${recorded} were missing and have been recorded.`)
  if (repaired > 0) print(`Missing or damaged, and copied again: ${repaired}.`)
  return damaged
}

async function checkBlob(
  checking: Checking,
  blob: Blob,
  { repair, onBytes }: { repair: Repair | undefined; onBytes: OnBytes },
): Promise<Checked> {
  const { db, blobs, clock } = checking
  const found = await measure(blobs, blob, onBytes)
  if ('fault' in found) {
    // The server may have removed it meanwhile: the row goes before the bytes.
    const isThere = await db.selectFrom('blobs').select('key').where('key', '=', blob.key).executeTakeFirst()
    if (!isThere) return { blob }
    const isRepaired = (await repair?.(blob)) === true && !('fault' in (await measure(blobs, blob)))
    if (isRepaired) return { blob, isRepaired }
    await noteDamage(db, blob.key, clock.now())
    return { blob, fault: found.fault }
  }
  // The blob is whole again, so the metrics need not report it any longer.
  if (blob.damaged_at !== null) await clearDamage(db, blob.key)
  if (blob.sha256 !== null) return { blob }
  await recordDigest(db, blob.key, found.sha256)
  return { blob, isRecorded: true }
}

async function measure(
  blobs: Services['blobs'],
  blob: RecordedBlob,
  onBytes?: OnBytes,
): Promise<Measured | { fault: string }> {
  try {
    const measured = await measureBlob(blobs, blob.key, onBytes)
    const fault = describeDifference(blob, measured)
    return fault === undefined ? measured : { fault }
  } catch (error) {
    return { fault: describeReadFailure(error) }
  }
}

async function* listBlobs({ db }: Checking): AsyncGenerator<Blob> {
  for (let last = ''; ; ) {
    const blobs = await db
      .selectFrom('blobs')
      .select(['key', 'size', 'sha256', 'damaged_at'])
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

/** Lists the files and versions with a blob's bytes by owner and path: `mara@example.com: /Photos/a.jpg`. */
export async function listFilesOfBlob(db: Database, blobKey: string): Promise<string[]> {
  const ofItems = db
    .selectFrom('items')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .select(['users.email', 'users.deleted_at', 'items.parent_id', 'items.name', 'items.area', 'items.trash_id'])
  const current = await ofItems.where('items.blob_key', '=', blobKey).orderBy('items.id').execute()
  const earlier = await ofItems
    .innerJoin('versions', 'versions.item_id', 'items.id')
    .select('versions.created_at')
    .where('versions.blob_key', '=', blobKey)
    .orderBy('versions.id')
    .execute()
  const files = [...current.map((file) => ({ ...file, created_at: null })), ...earlier]
  const paths = await readFolderPaths(db, [...new Set(files.map((file) => file.parent_id as string))])
  return files.map(({ email, deleted_at, parent_id, name, area, trash_id, created_at }) => {
    const version = created_at !== null && `version replaced ${new Date(created_at).toISOString()}`
    const place = [area === 'vault' && 'vault', trash_id !== null && 'trash', version].filter(Boolean).join(', ')
    const owner = deleted_at === null ? email : 'A deleted account'
    return `${owner}: ${paths.get(parent_id as string)}/${name}${place && ` (${place})`}`
  })
}

/** Records a digest that was not computed yet. */
export async function recordDigest(db: Database, key: string, sha256: string): Promise<void> {
  await db.updateTable('blobs').set({ sha256 }).where('key', '=', key).where('sha256', 'is', null).execute()
}
