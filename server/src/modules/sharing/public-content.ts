import { calls } from '@alcove/contract/calls'
import { previewKindOf } from '@alcove/contract/preview-kind'
import type { Context } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { ItemRow, PublicLinkRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import { isUsable } from '../../platform/http/app-passwords.ts'
import { fileResponse, zipFolder } from '../items/index.ts'
import { canConvert, playlistResponse, readStreams, segmentResponse, waysOf } from '../media/index.ts'
import { getThumbnailOf } from '../previews/index.ts'
import { getInside, linkNotFound, mayDownload, mayPreview, openShown } from './open-link.ts'

export const getPublicContent = endpoint(calls.getPublicContent, async (ctx, { token, id, access, download }) => {
  const { link, item: shared } = await openShown(ctx, token, access)
  const { item } = await getInside(ctx.db, shared, id)
  const isDownload = download === '1'
  if (isDownload || item.kind === 'folder') assertMayDownload(link)
  else assertMayPreview(link, item)
  const bytes =
    item.kind === 'file' ? fileResponse(item, isDownload ? 'attachment' : 'inline') : await zipFolder(ctx, item)
  const response = { ...bytes, isStillAllowed: () => isUsable(ctx.db, link.owner_id) }
  if (!isDownload) return response
  // Otherwise the parts of a file could be fetched one by one without counting as a download.
  const isWhole = link.max_downloads !== null
  return { ...response, isWhole, onStart: () => countDownload(ctx, link) }
})

/** Counts a download, unless it would be one too many. */
async function countDownload({ db }: Context, { id }: PublicLinkRow): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('public_links')
    .set((eb) => ({ download_count: eb('download_count', '+', 1) }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('max_downloads', 'is', null), eb('download_count', '<', eb.ref('max_downloads'))]))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw linkNotFound()
}

function assertMayDownload(link: PublicLinkRow): void {
  if (!mayDownload(link)) throw new AppError('forbidden', 'What this link shows can be viewed but not downloaded.')
}

/** A link without downloads sends only what a preview shows: the bytes of other files could only be saved. */
function assertMayPreview(link: PublicLinkRow, { name }: Pick<ItemRow, 'name'>): void {
  const kind = previewKindOf(name)
  if (!mayDownload(link) && (kind === undefined || kind === 'thumbnail')) {
    throw new AppError('forbidden', 'This file can’t be viewed, and the link doesn’t allow downloads.')
  }
  if (!mayPreview(link))
    throw new AppError('forbidden', 'The files of this link can’t be previewed. Download them instead.')
}

export const getPublicThumbnail = endpoint(calls.getPublicThumbnail, async (ctx, { token, id, access, size }) => {
  const { item } = await getInside(ctx.db, (await openShown(ctx, token, access)).item, id)
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
  const { link, item: shared } = await openShown(ctx, token, access)
  const { item } = await getInside(ctx.db, shared, id)
  assertMayPreview(link, item)
  const isMedia = await ctx.db
    .selectFrom('items')
    .select('id')
    .where('id', '=', item.id)
    .where('media', 'is not', null)
    .executeTakeFirst()
  if (!isMedia) throw notFound('file')
  return item
}
