import { join } from 'node:path'
import { app } from './drive.ts'

/** The blob of a file: its key, its size, and where it lies when it is a large one. */
export async function blobOf(fileId: string): Promise<{ key: string; size: number; path: string }> {
  const { blob_key, size } = await app.services.db
    .selectFrom('items')
    .select(['blob_key', 'size'])
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  const key = blob_key as string
  return { key, size, path: blobPath(app.dataDir, key) }
}

/** Where a large blob lies, in a data directory and in a backup. */
export function blobPath(root: string, key: string): string {
  return join(root, 'blobs', key.slice(0, 7), key)
}
