import type {
  getPublicPlayback as playbackCall,
  getPublicPlaylist as playlistCall,
  getPublicSegment as segmentCall,
} from '@alcove/contract/sharing'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { Operation } from '../../platform/http/api.ts'
import { answerPlaylist, answerSegment } from '../../tree/answer-parts.ts'
import { canConvert, readStreams, waysOf } from '../../tree/playable-media.ts'
import { getInside } from './inside-link.ts'
import { openLink } from './open-link.ts'

interface Asked {
  token: string
  id?: string | undefined
  access?: string | undefined
}

export const getPublicPlayback: Operation<typeof playbackCall> = async (ctx, asked) => {
  const file = await getPlayed(ctx, asked)
  if (!canConvert(ctx)) return { ways: [] }
  return { ways: waysOf(await readStreams(ctx, file, ctx.hangUp())) }
}

export const getPublicPlaylist: Operation<typeof playlistCall> = async (ctx, { way, ...asked }) => {
  const file = await getPlayed(ctx, asked)
  const query = new URLSearchParams({ id: file.id, way, ...(asked.access !== undefined && { access: asked.access }) })
  return answerPlaylist(ctx, { file, way }, (index) => `segments/${index}?${query}`)
}

/** Each part is asked for through the link, so that it ends with it. All who visit one owner's links share one turn. */
export const getPublicSegment: Operation<typeof segmentCall> = async (ctx, { way, index, ...asked }) => {
  const file = await getPlayed(ctx, asked)
  return answerSegment(ctx, { file, way, index, group: `visitors of ${file.owner_id}` })
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
