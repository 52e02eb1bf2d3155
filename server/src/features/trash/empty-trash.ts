import type { emptyTrash as call } from '@alcove/contract/trash'
import type { Operation } from '../../platform/http/api.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { deleteTrashed } from '../../tree/delete-items.ts'

export const emptyTrash: Operation<typeof call> = async (ctx) => {
  await changeTree(ctx, (tx) => deleteTrashed(ctx, tx, ctx.user.id, {}))
  return { message: 'All trashed items permanently deleted.' }
}
