import type {
  getPublicPlayback as playbackCall,
  getPublicPlaylist as playlistCall,
  getPublicSegment as segmentCall,
} from '@alcove/contract/sharing'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { Operation } from '../../platform/http/api.ts'
import { canConvert, playlistResponse, readStreams, segmentResponse, waysOf } from '../media/index.ts'
import { getInside } from './inside-link.ts'
import { openLink } from './open-link.ts'

interface Asked {
  token: string
  id?: string | undefined
  access?: string | undefined
}

export const getPublicPlayback: Operation<typeof playbackCall> = async (ctx, requested) => {
  const file = await getPlayed(ctx, requested)
  if (!canConvert(ctx)) return { ways: [] }
  return { ways: waysOf(await readStreams(ctx, file, ctx.abortSignal())) }
}

export const getPublicPlaylist: Operation<typeof playlistCall> = async (ctx, { way, ...requested }) => {
  const file = await getPlayed(ctx, requested)
  const query = new URLSearchParams({
    id: file.id,
    way,
    ...(requested.access !== undefined && { access: requested.access }),
  })
  return playlistResponse(ctx, { file, way }, (index) => `segments/${index}?${query}`)
}

/** Each part is asked for through the link, so that it ends with it. All who visit one owner's links share one turn. */
export const getPublicSegment: Operation<typeof segmentCall> = async (ctx, { way, index, ...requested }) => {
  const file = await getPlayed(ctx, requested)
  return segmentResponse(ctx, { file, way, index, group: `visitors of ${file.owner_id}` })
}

/** What of a link can be played: its music and films. What lies in the vault is ciphertext, which the server cannot play. */
async function getPlayed(ctx: Context, { token, id, access }: Asked): Promise<ItemRow> {
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
