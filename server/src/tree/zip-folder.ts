import { PassThrough, type Readable } from 'node:stream'
import { sql } from 'kysely'
import { ZipFile } from 'yazl'
import type { Services } from '../context.ts'
import type { ItemRow } from '../platform/db/tables.ts'
import type { StreamAnswer } from '../platform/http/bytes-answer.ts'

interface ZipEntry {
  kind: 'file' | 'folder'
  path: string
  size: number
  blob_key: string | null
  updated_at: number
}

/** A folder with all that is visible in it as a ZIP, made while it is sent: nothing is copied or held. */
export async function zipFolder(services: Services, folder: ItemRow): Promise<StreamAnswer> {
  const entries = await listEntries(services, folder)
  return {
    kind: 'stream',
    filename: `${folder.name}.zip`,
    mimeType: 'application/zip',
    open: () => streamZip(services, entries),
  }
}

async function listEntries({ db }: Services, folder: ItemRow): Promise<ZipEntry[]> {
  const { rows } = await sql<ZipEntry>`
    with recursive below (id, kind, path, size, blob_key, updated_at) as (
      select id, kind, name, size, blob_key, updated_at from items where id = ${folder.id}
      union all
      select child.id, child.kind, below.path || '/' || child.name, child.size, child.blob_key, child.updated_at
      from below join items child on child.parent_id = below.id where child.trash_id is null
    )
    select kind, path, size, blob_key, updated_at from below`.execute(db)
  return rows
}

function streamZip({ blobs }: Services, entries: ZipEntry[]): Readable {
  const zip = new ZipFile()
  const output = new PassThrough({ highWaterMark: 1024 * 1024 })
  zip.on('error', (error) => output.destroy(error as Error))
  for (const { kind, path, size, blob_key, updated_at } of entries) {
    const mtime = new Date(updated_at)
    if (kind === 'folder') {
      zip.addEmptyDirectory(path, { mtime })
      continue
    }
    // Stored as it is: photos, music and films do not shrink, and the rest is sent faster than it is deflated.
    zip.addReadStreamLazy(path, { mtime, size, compress: false, mode: 0o100644 }, (give) =>
      give(null, blobs.openStream(blob_key as string)),
    )
  }
  zip.end()
  zip.outputStream.pipe(output)
  return output
}
