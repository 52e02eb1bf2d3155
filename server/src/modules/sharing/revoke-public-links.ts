import type { revokePublicLinks as call } from '@alcove/contract/sharing'
import type { Operation } from '../../platform/http/api.ts'
import { changeTree } from '../items/index.ts'

/** Trashed items too: one that came back from the trash would be shared again. */
export const revokePublicLinks: Operation<typeof call> = async (ctx) => {
  const { numUpdatedRows } = await changeTree(ctx, (tx) =>
    tx
      .updateTable('items')
      .set({ shared_at: null })
      .where('owner_id', '=', ctx.user.id)
      .where('shared_at', 'is not', null)
      .executeTakeFirstOrThrow(),
  )
  return { message: 'All public links are disabled.', count: Number(numUpdatedRows) }
}
