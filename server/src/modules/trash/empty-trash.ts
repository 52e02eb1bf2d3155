import type { emptyTrash as call } from '@alcove/contract/trash'
import type { Operation } from '../../platform/http/api.ts'
import { changeTree, deleteTrashed } from '../items/index.ts'

export const emptyTrash: Operation<typeof call> = async (ctx) => {
  await changeTree(ctx, (tx) => deleteTrashed(ctx, tx, ctx.user.id, {}))
  return { message: 'All trashed items permanently deleted.' }
}
