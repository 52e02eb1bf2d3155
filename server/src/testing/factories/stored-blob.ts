import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { SMALL_BLOB } from '../../platform/blobs/blob-replica.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/db/database.ts'
import { withS3Client } from '../engines/s3-client.ts'
import type { TestApp } from '../engines/test-app.ts'
import { app } from './drive.ts'

/** Returns the key and the size of a file's blob. */
export async function blobOf(fileId: string): Promise<{ key: string; size: number }> {
  const { blob_key, size } = await app.services.db
    .selectFrom('items')
    .select(['blob_key', 'size'])
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  return { key: blob_key as string, size }
}

/** Returns the path of a large blob in a data directory or a backup. */
export function blobPath(root: string, key: string): string {
  return join(root, 'blobs', key.slice(0, 7), key)
}

/** Replaces the bytes of a blob in the store only, as a broken disk does. */
export async function changeBlob(store: BlobStore, key: string, change: (stored: Buffer) => Buffer): Promise<void> {
  const changed = change(await buffer(store.openStream(key)))
  await store.remove(key)
  if (changed.length <= SMALL_BLOB) return store.writeWhole(key, changed)
  await store.writeChunk(key, { index: 0, offset: 0 }, Readable.from([changed]), changed.length)
  await store.seal(key, [changed.length])
}

/** Counts the files or objects that an app has for its blobs. Small blobs on a disk are stored together and not counted. */
export async function countStored({ dataDir, services }: TestApp): Promise<number> {
  const { s3 } = services.config
  if (s3) {
    const list = new ListObjectsV2Command({ Bucket: s3.bucket })
    return (await withS3Client(s3, (client) => client.send(list))).KeyCount ?? 0
  }
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && entry.parentPath.includes('blobs') && !/sqlite/.test(entry.name))
    .length
}

/** Counts the rows of a user in each table that has an owner column. Tables without rows of the user are left out. */
export async function countRows(db: Database, userId: string): Promise<Record<string, number>> {
  const tables = await db.introspection.getTables()
  const counts: Record<string, number> = {}
  for (const { name, columns } of tables) {
    const owner = columns.find((column) => ['user_id', 'owner_id'].includes(column.name))?.name
    const column = name === 'users' ? 'id' : owner
    if (column === undefined) continue
    const rows = await db
      .selectFrom(name as 'users')
      .select((eb) => eb.fn.countAll().as('count'))
      .where(column as 'id', '=', userId)
      .executeTakeFirstOrThrow()
    if (Number(rows.count) > 0) counts[name] = Number(rows.count)
  }
  return counts
}
