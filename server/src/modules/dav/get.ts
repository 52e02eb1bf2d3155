import { sendBytes } from '../../platform/http/send-bytes.ts'
import { fileResponse } from '../items/index.ts'
import { DavError } from './dav-error.ts'
import type { DavHandler } from './dav-request.ts'
import { describeChecksums } from './live-properties.ts'
import { assertPreconditions } from './preconditions.ts'
import { getAt } from './resolve-path.ts'
import { readChecksums } from './resource.ts'

/** Sends the bytes of a file, as downloads in the web do: with ranges and conditions. */
export const get: DavHandler = async (dav) => {
  const { ctx, request, reply, path } = dav
  const found = await getAt(ctx.db, ctx.user, path)
  if (found.item.kind === 'folder') {
    throw new DavError(405, 'This is a folder. Open this address with a WebDAV client to see what it contains.')
  }
  await assertPreconditions(ctx.db, dav, found)
  const known = (await readChecksums(ctx.db, [found.item.blob_key as string])).get(found.item.blob_key as string)
  const checksums = known && describeChecksums(known)
  if (checksums) reply.header('oc-checksum', checksums.split(' ')[0] as string)
  return sendBytes(ctx, request, reply, fileResponse(found.item, 'attachment'))
}
