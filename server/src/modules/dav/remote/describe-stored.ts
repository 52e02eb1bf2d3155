import type { ItemRow } from '../../../platform/db/tables.ts'
import { findMounts, readFileNumbers } from '../../items/index.ts'
import type { DavRequest } from '../dav-request.ts'
import { etagOf } from '../etag.ts'
import { writeItemId } from './remote-properties.ts'

/** Tells a client of Nextcloud or ownCloud the id and the entity tag of what it has created, replaced or moved. */
export async function describeStored(
  { ctx, reply, mount }: Pick<DavRequest, 'ctx' | 'reply' | 'mount'>,
  item: Pick<ItemRow, 'id' | 'blob_key' | 'changed_in' | 'mount_of'>,
): Promise<void> {
  if (mount.isRemote !== true) return
  // A shared folder has the same id for all who use it.
  const id = item.mount_of === null ? item.id : ((await findMounts(ctx, [item.id])).get(item.id)?.folderId ?? item.id)
  const number = (await readFileNumbers(ctx.db, [id])).get(id)
  if (number !== undefined) reply.header('oc-fileid', writeItemId(number))
  const etag = etagOf(item)
  if (etag !== undefined) reply.headers({ etag, 'oc-etag': etag })
}
