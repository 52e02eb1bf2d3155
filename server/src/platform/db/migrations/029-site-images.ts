import type { Kysely } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Adds the logo of the operator. `tables.ts` describes the columns. */
export async function siteImages(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text } = columnTypes(engine)
  await db.schema
    .createTable('site_images')
    .addColumn('kind', text, (column) => column.primaryKey())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('base64', text, (column) => column.notNull())
    .execute()
}
