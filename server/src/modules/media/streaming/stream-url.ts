import type { ParsedInputOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import { extensionOf, VIDEO_EXTENSIONS } from '@alcove/contract/file-types'
import type { Services, SessionUser, UserContext } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import { type Grant, isRevoked, readGrant, signGrant } from '../../../platform/crypto/signed-url.ts'
import type { Database } from '../../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../../platform/db/prepared-query.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { isUsable } from '../../../platform/http/app-passwords.ts'
import { findHolder } from '../../../platform/http/members.ts'
import type { Streams } from '../../../platform/media/media-reader.ts'
import { fileResponse, isBelow, isInReach, selectGranted } from '../../items/index.ts'
import { canConvert, findStreams, readStreams, waysOf } from './playable-media.ts'

const videos: readonly string[] = VIDEO_EXTENSIONS
/** Formats that browsers nearly always play, so playback starts before the streams are known. */
const COMMON = ['mp4', 'm4v', 'webm', 'mp3', 'wav', 'm4a', 'aac', 'ogg', 'opus', 'flac']

export const getStreamUrl = endpoint(calls.getStreamUrl, async (ctx, { id }) => {
  const file = await findStream(ctx.db, ctx.user, id)
  if (!file) throw notFound('file')
  const stream = grantStream(ctx, file)
  const extension = extensionOf(file.name)
  const isConvertible = canConvert(ctx)
  const isAsked = isConvertible && !COMMON.includes(extension)
  const known = isAsked ? await readStreams(ctx, file, ctx.abortSignal()) : await findStreams(ctx, file)
  const kind = streamKindOf(known?.streams, extension, isConvertible)
  const ways = !isConvertible ? [] : known ? waysOf(known) : (['encode'] as const)
  const hasPictures = known ? known.streams?.video !== undefined : videos.includes(extension)
  return {
    url: stream(),
    kind: kind === 'hls' && ways.length === 0 ? 'unplayable' : kind,
    playlists: ways.map((way) => stream('/playlist', { way })),
    storyboard: hasPictures && ways.length > 0 ? stream('/storyboard') : undefined,
  }
})

export const getPlayback = endpoint(calls.getPlayback, async (ctx, { id }) => {
  const file = await findStream(ctx.db, ctx.user, id)
  if (!file) throw notFound('file')
  if (!canConvert(ctx)) return { playlists: [] }
  const stream = grantStream(ctx, file)
  const known = await readStreams(ctx, file, ctx.abortSignal())
  return { playlists: waysOf(known).map((way) => stream('/playlist', { way })) }
})

/** Returns a function that creates signed URLs for a file and what is made of it. They are valid for six hours. */
function grantStream(ctx: UserContext, file: ItemRow): (path?: string, query?: Record<string, string>) => string {
  const subject = { id: file.id, owner: ctx.user.id, member: ctx.user.member?.id }
  const signed = signGrant(ctx.secrets.urlKey, 'stream', subject, ctx.clock.now()).query
  return (path = '', query = {}) =>
    `${ctx.config.publicUrl}/api/stream/${file.id}${path}?${new URLSearchParams([...signed, ...Object.entries(query)])}`
}

/** Finds a playable file of a user: visible music and videos. Vault files are ciphertext, which nothing plays. */
export function findStream(db: Database, user: SessionUser, id: string): Promise<ItemRow | undefined> {
  return db
    .selectFrom('items')
    .selectAll('items')
    .where('items.id', '=', id)
    .where('owner_id', '=', user.id)
    .where('media', 'is not', null)
    .where('trash_id', 'is', null)
    .where(isInReach(user))
    .executeTakeFirst()
}

type Granted = ParsedInputOf<typeof calls.streamFile>

type Stream = ItemRow & { readonly sha256: string | null }

/**
 * Returns the file of a signed URL. It must still be its owner's and visible, and for a member of a shared folder it must still lie
 * there.
 */
export async function getGranted(ctx: Services, { id, owner, member, expires, signature }: Granted): Promise<Stream> {
  const grant = { id, owner, member, expires: Number(expires) }
  const signedAt = readGrant(ctx.secrets.urlKey, 'stream', grant, signature, ctx.clock.now())
  if (signedAt === undefined) throw expired()
  return findGranted(ctx.db, grant, signedAt)
}

async function findGranted(db: Database, { id, owner, member }: Grant, signedAt: number): Promise<Stream> {
  const holder = member === undefined ? undefined : await findHolder(db, member)
  if (member !== undefined && !holder) throw expired()
  const granted = { id, owner }
  const found = holder
    ? await selectStream(db, (name) => granted[name])
        .where(isBelow(holder.folder_id))
        .executeTakeFirst()
    : (await findOwnStream(db, granted)).rows[0]
  if (!found) throw notFound('file')
  const { grants_revoked_at, ...file } = found
  if (isRevoked(signedAt, holder ? holder.grants_revoked_at : grants_revoked_at)) throw expired()
  return file
}

const selectStream = (db: Database, value: Value<{ id: string; owner: string }>) =>
  selectGranted(db, value).where('items.media', 'is not', null)

/** Players ask for one range after the other. */
const findOwnStream = prepareQuery(selectStream)

/** Returns the part of a signed URL's query that grants the file, for the URLs of what is made of it. */
export function queryOf({ owner, member, expires, signature }: Granted): Record<string, string> {
  return { owner, expires, signature, ...(member !== undefined && { member }) }
}

function expired(): AppError {
  return new AppError('forbidden', 'This stream has expired. Please start it again.')
}

/** Streams the bytes for a signed URL. */
export const streamFile = endpoint(calls.streamFile, async (ctx, grant) => {
  const file = await getGranted(ctx, grant)
  const response = { ...fileResponse(file, 'inline'), sha256: file.sha256 }
  if (grant.member === undefined) return { ...response, isStillAllowed: () => isUsable(ctx.db, grant.owner) }
  const signed = { ...grant, expires: Number(grant.expires) }
  const isStillAllowed = () =>
    findGranted(ctx.db, signed, ctx.clock.now()).then(
      () => true,
      (error: unknown) => !(error instanceof AppError),
    )
  return { ...response, isStillAllowed }
})

type StreamKind = 'file' | 'hls' | 'unplayable'

/** Containers that hardly any browser supports. Others are tried, because browsers differ. */
const FOREIGN_FORMATS: readonly Streams['format'][] = [
  ...(['avi', 'flv', 'mpeg', 'mpegvideo', 'mpegts', 'asf', 'aiff', 'ape'] as const),
]
const FOREIGN_EXTENSIONS = ['avi', 'flv', 'mpg', 'wma', 'aif', 'aiff', 'ape']

/** The codecs that at least one browser plays from each container. */
const PLAYED: Partial<Record<Streams['format'], { video: readonly string[]; audio: readonly string[] }>> = {
  mov: { video: ['h264', 'hevc', 'av1', 'vp9'], audio: ['aac', 'mp3', 'opus', 'flac'] },
  matroska: { video: ['h264', 'vp8', 'vp9', 'av1'], audio: ['aac', 'mp3', 'opus', 'vorbis', 'flac'] },
  ogg: { video: [], audio: ['opus', 'vorbis', 'flac'] },
  wav: {
    video: [],
    audio: ['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_alaw', 'pcm_mulaw', 'mp3'],
  },
}
/** H.264 with more than 8 bits or finer chroma is rarely supported. */
const PLAIN_PIXELS = ['yuv420p', 'yuvj420p']

/** Returns how to play a media file, given its streams if they are known. */
export function streamKindOf(streams: Streams | undefined, extension: string, canConvert: boolean): StreamKind {
  if (!streams) return FOREIGN_EXTENSIONS.includes(extension) ? 'unplayable' : 'file'
  if (isPlayed(streams)) return 'file'
  if (canConvert) return 'hls'
  return FOREIGN_FORMATS.includes(streams.format) ? 'unplayable' : 'file'
}

function isPlayed({ format, video, audio, pixels }: Streams): boolean {
  const played = PLAYED[format]
  if (!played) return false
  if (video === 'h264' && pixels !== undefined && !PLAIN_PIXELS.includes(pixels)) return false
  return (video === undefined || played.video.includes(video)) && (audio === undefined || played.audio.includes(audio))
}
