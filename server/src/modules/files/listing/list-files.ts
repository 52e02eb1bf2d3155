import type { listFiles as call } from '@alcove/contract/files'
import type { Operation } from '../../../platform/http/api.ts'
import { getOwnPlace, listChildren, presentFile } from '../../items/index.ts'

export const listFiles: Operation<typeof call> = async (ctx, { folderId }) => {
  const folder = await getOwnPlace(ctx.db, ctx.user, folderId, 'drive')
  const files = await listChildren(ctx.db, folder, 'file')
  return { files: files.map((row) => presentFile(row, ctx.user)) }
}
