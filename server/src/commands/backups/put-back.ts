import { BlobArchive } from '../../platform/blobs/blob-archive.ts'
import { engineOf, migrate } from '../../platform/db/database.ts'
import type { Operator } from '../command.ts'
import { openReplica } from '../open-replica.ts'
import { Progress } from '../progress.ts'
import type { NamedBlob } from './copy-blobs.ts'
import { readLines } from './lines.ts'
import { loadTables } from './load-tables.ts'
import { type Manifest, tablePath } from './manifest.ts'
import { putBlobsBack } from './put-blobs-back.ts'

/**
 * The bytes, then the rows, into tables as they were when the backup was made, which then go through all that came
 * later. Broken off before its end it leaves no rows.
 */
export async function putBack(operator: Operator, folder: string, manifest: Manifest): Promise<void> {
  const { services, config, print, tell } = operator
  await migrate(services.db, engineOf(config), manifest.migration)
  const archive = new BlobArchive(folder)
  const replica = openReplica(config, services.blobs)
  try {
    const progress = new Progress('Put back', manifest, tell)
    const named = readLines<NamedBlob>(tablePath(folder, manifest, 'blobs'))
    const lost = await putBlobsBack({ replica, archive, progress }, named)
    if (lost.length > 0) print(`Blobs that the backup has not, or not as they were stored: ${lost.length}.`)
  } finally {
    await replica.close()
    await archive.close()
  }
  const tables = manifest.tables.map(({ name }) => ({ name, path: tablePath(folder, manifest, name) }))
  await services.db.transaction().execute((tx) => loadTables(tx, tables))
  await migrate(services.db, engineOf(config))
  tell('Everything is put back, and is checked now.')
}
