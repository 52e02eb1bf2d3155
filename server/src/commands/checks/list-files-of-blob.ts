import { readFolderPaths } from '../../modules/items/index.ts'
import type { Database } from '../../platform/db/database.ts'

/** The files that have a blob's bytes, each by its owner and path: `mara@example.com: /Photos/a.jpg`. */
export async function listFilesOfBlob(db: Database, blobKey: string): Promise<string[]> {
  const files = await db
    .selectFrom('items')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .select(['users.email', 'users.deleted_at', 'items.parent_id', 'items.name', 'items.area', 'items.trash_id'])
    .where('items.blob_key', '=', blobKey)
    .orderBy('items.id')
    .execute()
  const paths = await readFolderPaths(db, [...new Set(files.map((file) => file.parent_id as string))])
  return files.map(({ email, deleted_at, parent_id, name, area, trash_id }) => {
    const place = [area === 'vault' && 'vault', trash_id !== null && 'trash'].filter(Boolean).join(', ')
    const owner = deleted_at === null ? email : 'A deleted account'
    return `${owner}: ${paths.get(parent_id as string)}/${name}${place && ` (${place})`}`
  })
}
