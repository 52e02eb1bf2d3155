import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { BlobTable } from '../../platform/db/tables.ts'

/** Adds the row of a blob whose bytes are on stable storage. */
export const insertBlob = prepareQuery((db, value: Value<Omit<BlobTable, 'damaged_at'>>) =>
  db.insertInto('blobs').values({
    key: value('key'),
    size: value('size'),
    created_at: value('created_at'),
    sha256: value('sha256'),
  }),
)
