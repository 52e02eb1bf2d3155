import type { Kysely } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds the digests by which WebDAV clients compare files. They are unknown for blobs that arrived before. */
export async function checksums(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text } = columnTypes(engine)
  await db.schema.alterTable('blobs').addColumn('sha1', text).execute()
  await db.schema.alterTable('blobs').addColumn('md5', text).execute()
}
