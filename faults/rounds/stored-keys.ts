import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Returns the keys of all stored bytes in a data directory: small and large blobs, parked chunks and staged ones. */
export async function listStoredKeys(dataDir: string): Promise<Set<string>> {
  const keys = new Set<string>()
  for (const folder of ['blobs', 'staging']) {
    const entries = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (entry.isFile() && !entry.name.startsWith('small.sqlite')) keys.add(entry.name.split('.', 1)[0] as string)
    }
  }
  for (const key of select(join(dataDir, 'blobs', 'small.sqlite'), 'select key from blobs')) keys.add(key)
  return keys
}

/** Returns the keys that the database refers to. */
export function listUsedKeys(dataDir: string): Set<string> {
  return new Set(
    select(
      join(dataDir, 'alcove.sqlite'),
      `select key from blobs union select blob_key from uploads where completed_at is null
       union select thumbnail_key from thumbnails where thumbnail_key is not null union select blob_key from blob_removals`,
    ),
  )
}

function select(path: string, query: string): string[] {
  if (!existsSync(path)) return []
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => Object.values(row)[0] as string)
  } finally {
    database.close()
  }
}
