import type { Kysely } from 'kysely'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isPostgres } from '../../platform/db/portable-sql.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { ItemRow, Tables } from '../../platform/db/tables.ts'
import { type BlobDigests, insertBlob } from '../storage/index.ts'

/** The bytes that a file has from now on, and how it got them. */
export interface CurrentBytes {
  fileId: string
  blobKey: string
  size: number
  modifiedAt: number
  vaultCheck: string | null
  restoredVersion: string | null
  replacedAt: number | null
  replacedIn: string | null
  now: number
}

/** The bytes that a file had. Named differently from those it has, because one statement may store both. */
export interface NewVersion {
  versionId: string
  itemId: string
  ownerId: string
  oldKey: string
  oldSize: number
  oldDate: number
  oldCheck: string | null
  createdAt: number
  authorId: string
  device: string
  name: string | null
}

/** Sets the bytes of a file, whose music or video metadata must be read again. Their blob must have a row. */
export async function setBytes(tx: Tx, bytes: CurrentBytes): Promise<ItemRow> {
  return (await updateBytes(tx, bytes)).rows[0] as ItemRow
}

export async function insertVersion(tx: Tx, version: NewVersion): Promise<void> {
  await insertRow(tx, version)
}

/**
 * Adds a blob, makes a version of a file's old bytes, and sets the new ones. On PostgreSQL that is one statement, because each
 * would wait for the server: three of them made a thousand replacements 10 % slower.
 */
export async function replaceKeeping(tx: Tx, given: CurrentBytes & NewVersion & BlobDigests): Promise<ItemRow> {
  if (isPostgres(tx)) return (await replaceAtOnce(tx, given)).rows[0] as ItemRow
  const { blobKey: key, size, now: created_at, sha256, sha1, md5 } = given
  await insertBlob(tx, { key, size, created_at, sha256, sha1, md5 })
  await insertVersion(tx, given)
  return setBytes(tx, given)
}

const updateBytes = prepareQuery((db, value: Value<CurrentBytes>) => updateOf(db, value))
const insertRow = prepareQuery((db, value: Value<NewVersion>) => insertOf(db, value))
const replaceAtOnce = prepareQuery((db, value: Value<CurrentBytes & NewVersion & BlobDigests>) =>
  updateOf(
    db
      .with('blob', (part) =>
        part.insertInto('blobs').values({
          key: value('blobKey'),
          size: value('size'),
          created_at: value('now'),
          sha256: value('sha256'),
          sha1: value('sha1'),
          md5: value('md5'),
        }),
      )
      .with('version', (part) => insertOf(part, value)),
    value,
  ),
)

type Writing = Pick<Kysely<Tables>, 'updateTable' | 'insertInto'>

function updateOf(db: Pick<Database, 'updateTable'>, value: Value<CurrentBytes>) {
  return db
    .updateTable('items')
    .set({
      blob_key: value('blobKey'),
      size: value('size'),
      modified_at: value('modifiedAt'),
      vault_check: value('vaultCheck'),
      restored_version: value('restoredVersion'),
      replaced_at: value('replacedAt'),
      replaced_in: value('replacedIn'),
      media_read_at: null,
      updated_at: value('now'),
    })
    .where('id', '=', value('fileId'))
    .returningAll()
}

function insertOf(db: Pick<Writing, 'insertInto'>, value: Value<NewVersion>) {
  return db.insertInto('versions').values({
    id: value('versionId'),
    item_id: value('itemId'),
    owner_id: value('ownerId'),
    blob_key: value('oldKey'),
    size: value('oldSize'),
    modified_at: value('oldDate'),
    vault_check: value('oldCheck'),
    created_at: value('createdAt'),
    author_id: value('authorId'),
    device: value('device'),
    name: value('name'),
  })
}
