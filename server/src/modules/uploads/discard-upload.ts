import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { UploadRow } from '../../platform/db/tables.ts'
import { changeQuota } from '../items/index.ts'
import { queueBlobRemoval } from '../storage/index.ts'

/** Discards an unfinished upload, which must be locked: releases its reserved space and removes its bytes. */
export async function discardUpload(services: Services, tx: Tx, upload: UploadRow): Promise<void> {
  await tx.deleteFrom('uploads').where('id', '=', upload.id).execute()
  await changeQuota(tx, upload.owner_id, { reserved: -upload.reserved_bytes })
  await queueBlobRemoval(services, tx, [upload.blob_key], services.clock.now())
}
