import type { getPublicContent as call } from '@alcove/contract/sharing'
import type { Context } from '../../context.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { Operation } from '../../platform/http/api.ts'
import { fileResponse, zipFolder } from '../items/index.ts'
import { getInside } from './inside-link.ts'
import { openLink } from './open-link.ts'

export const getPublicContent: Operation<typeof call> = async (ctx, { token, id, access, download }) => {
  const shared = await openLink(ctx, token, access)
  const { item } = await getInside(ctx.db, shared, id)
  const isDownload = download === '1'
  const disposition = isDownload ? 'attachment' : 'inline'
  const answer = item.kind === 'file' ? fileResponse(item, disposition) : await zipFolder(ctx, item)
  return isDownload ? { ...answer, onStart: () => countDownload(ctx, shared) } : answer
}

async function countDownload({ db }: Context, shared: ItemRow): Promise<void> {
  await db
    .updateTable('public_links')
    .set((eb) => ({ download_count: eb('download_count', '+', 1) }))
    .where('item_id', '=', shared.id)
    .execute()
}
