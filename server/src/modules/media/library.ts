import { calls } from '@alcove/contract/calls'
import type { MediaFile } from '@alcove/contract/media'
import type { UserContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { mergePages } from '../../platform/db/merge-pages.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { mapPages, pagesOf, readPages } from '../../platform/db/read-pages.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { PagedResult } from '../../platform/http/paged-result.ts'
import {
  isAfter,
  isInReach,
  listFoldersBelow,
  listSharedFolders,
  readSharedPlaces,
  withoutRoot,
} from '../items/index.ts'
import { findStream } from './streaming/stream-url.ts'

export const listAudio = endpoint(calls.listAudio, (ctx) => listMedia(ctx, 'audio'))
export const listVideo = endpoint(calls.listVideo, (ctx) => listMedia(ctx, 'video'))

type Kind = 'audio' | 'video'

/** Lists all music or videos of a user, with the metadata that have been read so far, in natural order of names. */
async function listMedia(ctx: UserContext, kind: Kind): Promise<PagedResult> {
  const shared = ctx.user.hasSharedFolders ? await listSharedMedia(ctx, kind) : []
  const own = listOwnMedia(ctx, kind)
  const all = shared.length === 0 ? own : mergePages([own, ...shared.map(pagesOf)], byName)
  return new PagedResult(mapPages(all, (page) => page.map(({ file }) => file)))
}

/** A file with the key by which lists sort it. */
interface SortedFile {
  file: MediaFile
  sortKey: string
}

function byName(one: SortedFile, other: SortedFile): number {
  if (one.sortKey !== other.sortKey) return one.sortKey < other.sortKey ? -1 : 1
  return one.file.id < other.file.id ? -1 : 1
}

function listOwnMedia({ db, user }: UserContext, kind: Kind): AsyncGenerator<SortedFile[]> {
  const rows = readPages<MediaRow>((last, limit) =>
    selectMedia(db, kind)
      .where('items.owner_id', '=', user.id)
      .where(isInReach(user))
      .$if(last !== undefined, (items) => items.where(isAfter(last as MediaRow)))
      .orderBy('items.sort_key')
      .orderBy('items.id')
      .limit(limit)
      .execute(),
  )
  return mapPages(rows, (page) =>
    page.map((row) => ({ file: presentMedia(row, withoutRoot(row.parent_id, user)), sortKey: row.sort_key })),
  )
}

/**
 * Lists the music or videos in folders that others share, as sorted parts. What else their owners have isn't read. No index has the
 * order of several folders, so all of it is in memory.
 */
async function listSharedMedia({ db, user }: UserContext, kind: Kind): Promise<SortedFile[][]> {
  const shared = await listSharedFolders(db, user.id)
  const folders = await listFoldersBelow(
    db,
    shared.map(({ id }) => id),
  )
  // A shared folder may lie in another one.
  const folderIds = [...new Set(folders.map(({ id }) => id))]
  const found = await selectVisible(db, kind)
    .select('items.id')
    .where(isAmong(db, 'items.parent_id', folderIds))
    .execute()
  const parts: SortedFile[][] = []
  for await (const ids of pagesOf(found.map(({ id }) => id))) {
    const rows = await selectMedia(db, kind)
      .where(isAmong(db, 'items.id', ids))
      .execute()
    const places = await readSharedPlaces(db, user.id, rows)
    const files = rows.flatMap((row) => {
      const place = places.get(row.id)
      if (!place) return []
      const file = { ...presentMedia(row, place.parentId), sharedBy: place.sharedBy }
      return { file, sortKey: row.sort_key }
    })
    parts.push(files.sort(byName))
  }
  return parts
}

function selectVisible(db: Database, kind: Kind) {
  return db.selectFrom('items').where('items.media', '=', kind).where('items.trash_id', 'is', null)
}

function selectMedia(db: Database, kind: Kind) {
  return selectVisible(db, kind)
    .leftJoin('media_facts', 'media_facts.blob_key', 'items.blob_key')
    .select(['items.id', 'items.name', 'items.kind', 'items.parent_id', 'items.sort_key'])
    .select(['items.size', 'items.updated_at', 'items.modified_at'])
    .select(['title', 'artist', 'album', 'track', 'duration', 'has_cover'])
}

type MediaRow = Awaited<ReturnType<ReturnType<typeof selectMedia>['executeTakeFirstOrThrow']>>

function presentMedia(row: MediaRow, folderId: string | null): MediaFile {
  return {
    id: row.id,
    filename: row.name,
    folder_id: folderId,
    size: row.size,
    modifiedAt: formatTime(row.modified_at as number),
    updatedAt: formatTime(row.updated_at),
    title: row.title ?? undefined,
    artist: row.artist ?? undefined,
    album: row.album ?? undefined,
    track: row.track ?? undefined,
    duration: row.duration ?? undefined,
    hasCover: row.has_cover === 1 || undefined,
  }
}

/** Returns the metadata of one of the user's files, or nothing if they haven't been read yet. */
export const getMediaTags = endpoint(calls.getMediaTags, async ({ db, user }, { id }) => {
  const file = await findStream(db, user, id)
  if (!file?.blob_key) throw notFound('file')
  const row = await db
    .selectFrom('media_facts')
    .select(['title', 'artist', 'album', 'has_cover'])
    .where('blob_key', '=', file.blob_key)
    .executeTakeFirst()
  return {
    title: row?.title ?? undefined,
    artist: row?.artist ?? undefined,
    album: row?.album ?? undefined,
    hasCover: row?.has_cover === 1 || undefined,
  }
})
