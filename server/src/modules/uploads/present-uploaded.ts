import type { File } from '@alcove/contract/items'
import type { SessionUser } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { UploadRow } from '../../platform/db/tables.ts'
import { presentFile } from '../items/index.ts'

/** The file that a completed upload became, as it is now. */
export async function presentUploaded(db: Database, user: SessionUser, upload: UploadRow): Promise<File> {
  const file = await findUploaded(db, user, upload)
  if (!file) throw notFound('file')
  return file
}

/** Undefined while the upload is open, and once its file has been deleted for good. */
export async function findUploaded(db: Database, user: SessionUser, upload: UploadRow): Promise<File | undefined> {
  if (upload.item_id === null) return undefined
  const row = await db
    .selectFrom('items')
    .selectAll()
    .where('id', '=', upload.item_id)
    .where('owner_id', '=', user.id)
    .executeTakeFirst()
  return row && presentFile(row, user)
}
