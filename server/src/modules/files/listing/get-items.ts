import { calls } from '@alcove/contract/calls'
import type { Database } from '../../../platform/db/database.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { PagedResult } from '../../../platform/http/paged-result.ts'
import {
  findCaseTwins,
  findMounts,
  getOwnPlace,
  getReadableFolder,
  getReadableItemOrMount,
  listFilePages,
  listFolderPages,
  listVisibleAncestors,
  measureFolder,
  presentItem,
  readFolder,
  readSharedPlaces,
  withDamage,
  withMark,
} from '../../items/index.ts'

export const getItem = endpoint(calls.getItem, async (ctx, { id }) => {
  const item = await getReadableItemOrMount(ctx.db, ctx.user, id)
  const mount = item.mount_of === null ? undefined : (await findMounts(ctx, [item.id])).get(item.id)
  const [path, below, twins, blob] = await Promise.all([
    listVisibleAncestors(ctx.db, ctx.user, item.id),
    item.kind === 'folder' ? measure(ctx.db, mount?.folderId ?? item.id) : { itemCount: 0, totalSize: 0 },
    // What is beside a shared folder is not for its members.
    findCaseTwins(ctx.db, ctx.user.member && item.id === ctx.user.driveRootId ? [] : [item]),
    item.blob_key === null
      ? undefined
      : ctx.db.selectFrom('blobs').select('sha256').where('key', '=', item.blob_key).executeTakeFirst(),
  ])
  const caseTwin = twins.get(item.id)
  const marked = await withMark(ctx.db, ctx.user, presentItem(item, ctx.user))
  const [presented = marked] = await withDamage(ctx.db, [marked])
  const { member } = ctx.user
  const place = member && (await readSharedPlaces(ctx.db, member.userId, [item])).get(item.id)
  return {
    item: { ...presented, sharedBy: place?.sharedBy, ...(mount && { mount }) },
    path,
    ...below,
    caseTwin,
    sha256: blob?.sha256 ?? null,
  }
})

async function measure(db: Database, folderId: string): Promise<{ itemCount: number; totalSize: number }> {
  const { folders, files, size } = await measureFolder(db, folderId)
  return { itemCount: folders + files, totalSize: size }
}

export const getFolder = endpoint(calls.getFolder, async ({ db, user }, { id }) =>
  readFolder(db, user, await getReadableFolder(db, user, id)),
)

export const listFiles = endpoint(calls.listFiles, async (ctx, { folderId }) => {
  const folder = await getOwnPlace(ctx.db, ctx.user, folderId, 'drive')
  return new PagedResult({ files: listFilePages(ctx.db, ctx.user, folder) })
})

export const listRootFolders = endpoint(calls.listRootFolders, async ({ db, user }) => {
  return new PagedResult(listFolderPages(db, user, { id: user.driveRootId, area: 'drive' }))
})
