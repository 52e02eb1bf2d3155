import type { Database, Tx } from '../../../platform/db/database.ts'
import { prepareAhead, prepareQuery, type Value } from '../../../platform/db/prepared-query.ts'

/** A chunk that has arrived. */
export interface ChunkRow {
  chunk_index: number
  size: number
  /** 1 while its bytes are beside the blob, because their place isn't known yet. */
  is_parked: number
}

/** Records that a chunk has arrived. */
export const insertChunk = prepareAhead(
  (db, value: Value<{ uploadId: string; index: number; size: number; isParked: number }>) =>
    db.insertInto('upload_chunks').values({
      upload_id: value('uploadId'),
      chunk_index: value('index'),
      size: value('size'),
      is_parked: value('isParked'),
    }),
)

/** Forgets a chunk. Returns its size, or undefined if it had not arrived. */
export async function removeChunk(tx: Tx, uploadId: string, index: number): Promise<{ size: number } | undefined> {
  return (await deleteChunk(tx, { uploadId, index })).rows[0]
}

const deleteChunk = prepareQuery((db, value: Value<{ uploadId: string; index: number }>) =>
  db
    .deleteFrom('upload_chunks')
    .where('upload_id', '=', value('uploadId'))
    .where('chunk_index', '=', value('index'))
    .returning('size'),
)

/** Returns the chunks of an upload that have arrived, in order. */
export async function listChunks(db: Database, uploadId: string): Promise<ChunkRow[]> {
  return (await selectChunks(db, { uploadId })).rows
}

const chunksOf = (db: Database, value: Value<{ uploadId: string }>) =>
  db
    .selectFrom('upload_chunks')
    .select(['chunk_index', 'size', 'is_parked'])
    .where('upload_id', '=', value('uploadId'))
    .orderBy('chunk_index')

const selectChunks = prepareQuery(chunksOf)

/** Gives the same chunks to a function, before the next statement returns. */
export const takeChunks = prepareAhead(chunksOf)

/** Returns how many chunks of an upload have arrived. */
export async function countChunks(db: Database, uploadId: string): Promise<number> {
  return Number((await selectCount(db, { uploadId })).rows[0]?.count)
}

const selectCount = prepareQuery((db, value: Value<{ uploadId: string }>) =>
  db
    .selectFrom('upload_chunks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('upload_id', '=', value('uploadId')),
)

/** Forgets all chunks of an upload. */
export const removeChunks = prepareAhead((db, value: Value<{ uploadId: string }>) =>
  db.deleteFrom('upload_chunks').where('upload_id', '=', value('uploadId')),
)
