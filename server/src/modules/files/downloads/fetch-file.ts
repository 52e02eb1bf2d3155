import type { fetchFile as call } from '@alcove/contract/bytes'
import type { Operation } from '../../../platform/http/api.ts'
import { fileResponse, getOwnFileByName, getOwnPlace } from '../../items/index.ts'

/** The bytes of the file of a name, for `/fetch-file` and `/user-files`. */
export const fetchFile: Operation<typeof call> = async (ctx, { filename, folderId, isEncrypted }) => {
  if (folderId) await getOwnPlace(ctx.db, ctx.user, folderId, 'drive')
  return fileResponse(await getOwnFileByName(ctx.db, ctx.user, { filename, folderId, isEncrypted }), 'inline')
}
