import { calls } from '@alcove/contract/calls'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import { fileResponse, zipFolder } from '../items/index.ts'
import { canConvert, playlistResponse, readStreams, segmentResponse, waysOf } from '../media/index.ts'
import { getThumbnailOf } from '../previews/index.ts'
import { getInside, openLink } from './open-link.ts'

export const getPublicContent = endpoint(calls.getPublicContent, async (ctx, { token, id, access, download }) => {
  const shared = await openLink(ctx, token, access)
  const { item } = await getInside(ctx.db, shared, id)
  const isDownload = download === '1'
  const disposition = isDownload ? 'attachment' : 'inline'
  const response = item.kind === 'file' ? fileResponse(item, disposition) : await zipFolder(ctx, item)
  return isDownload ? { ...response, onStart: () => countDownload(ctx, shared) } : response
})

async function countDownload({ db }: Context, shared: ItemRow): Promise<void> {
  await db
    .updateTable('public_links')
    .set((eb) => ({ download_count: eb('download_count', '+', 1) }))
    .where('item_id', '=', shared.id)
    .execute()
}

export const getPublicThumbnail = endpoint(calls.getPublicThumbnail, async (ctx, { token, id, access, size }) => {
  const { item } = await getInside(ctx.db, await openLink(ctx, token, access), id)
  return getThumbnailOf(ctx, item, size, ctx.abortSignal())
})

interface RequestedFile {
  token: string
  id?: string | undefined
  access?: string | undefined
}

export const getPublicPlayback = endpoint(calls.getPublicPlayback, async (ctx, requested) => {
  const file = await getPlayed(ctx, requested)
  if (!canConvert(ctx)) return { ways: [] }
  return { ways: waysOf(await readStreams(ctx, file, ctx.abortSignal())) }
})

export const getPublicPlaylist = endpoint(calls.getPublicPlaylist, async (ctx, { way, ...requested }) => {
  const file = await getPlayed(ctx, requested)
  const query = new URLSearchParams({
    id: file.id,
    way,
    ...(requested.access !== undefined && { access: requested.access }),
  })
  return playlistResponse(ctx, { file, way }, (index) => `segments/${index}?${query}`)
})

/**
 * Serves a segment. Each one is requested through the link, so access ends with it. All visitors of one owner's links
 * share one queue.
 */
export const getPublicSegment = endpoint(calls.getPublicSegment, async (ctx, { way, index, ...requested }) => {
  const file = await getPlayed(ctx, requested)
  return segmentResponse(ctx, { file, way, index, group: `visitors of ${file.owner_id}` })
})

/** Returns a playable file of a link. Vault files are ciphertext, which the server can't play. */
async function getPlayed(ctx: Context, { token, id, access }: RequestedFile): Promise<ItemRow> {
  const { item } = await getInside(ctx.db, await openLink(ctx, token, access), id)
  const isMedia = await ctx.db
    .selectFrom('items')
    .select('id')
    .where('id', '=', item.id)
    .where('media', 'is not', null)
    .executeTakeFirst()
  if (!isMedia) throw notFound('file')
  return item
}
