import type { Services } from '../../../context.ts'
import type { ItemRow, UserRow } from '../../../platform/db/tables.ts'
import { formatTime } from '../../../platform/iso-time.ts'
import { readFolderPaths } from '../../items/index.ts'

/** So many rows are read at once. */
const PAGE = 1000

/** The public links that are enabled, the latest first, along their index. */
export async function* listLinkDetails({ db, config }: Services, user: UserRow): AsyncGenerator<object[]> {
  for (let last: { shared_at: number; id: string } | undefined; ; ) {
    let page = db
      .selectFrom('items')
      .innerJoin('public_links', 'public_links.item_id', 'items.id')
      .select(['items.id', 'name', 'kind', 'area', 'parent_id', 'shared_at', 'token', 'expires_at', 'download_count'])
      .select((eb) => eb('password_hash', 'is not', null).as('has_password'))
      .where('owner_id', '=', user.id)
      .where('shared_at', 'is not', null)
      .$narrowType<{ shared_at: number; parent_id: string }>()
    const after = last
    if (after)
      page = page.where((eb) => eb(eb.refTuple('shared_at', 'items.id'), '<', eb.tuple(after.shared_at, after.id)))
    const rows = await page.orderBy('shared_at', 'desc').orderBy('items.id', 'desc').limit(PAGE).execute()
    const paths = await readFolderPaths(db, [...new Set(rows.map((row) => row.parent_id))])
    yield rows.map((row) => ({
      link: `${config.publicUrl}/s/${row.token}`,
      ...describeItem(row, paths),
      enabledAt: formatTime(row.shared_at),
      hasPassword: Boolean(row.has_password),
      expiresAt: row.expires_at === null ? null : formatTime(row.expires_at),
      downloadCount: row.download_count,
    }))
    if (rows.length < PAGE) return
    last = rows.at(-1)
  }
}

/** The favorites that are not in the trash, by name, along their index. */
export async function* listFavoriteDetails(services: Services, user: UserRow): AsyncGenerator<object[]> {
  for (const kind of ['folder', 'file'] as const) yield* listFavoritesOf(services, user, kind)
}

async function* listFavoritesOf({ db }: Services, user: UserRow, kind: ItemRow['kind']): AsyncGenerator<object[]> {
  for (let last = { sort_key: '', id: '' }; ; ) {
    const { sort_key, id } = last
    const rows = await db
      .selectFrom('items')
      .select(['id', 'name', 'kind', 'area', 'parent_id', 'sort_key', 'favorite_at'])
      .where('owner_id', '=', user.id)
      .where('favorite_at', 'is not', null)
      .where('trash_id', 'is', null)
      .where('kind', '=', kind)
      .where((eb) => eb(eb.refTuple('sort_key', 'id'), '>', eb.tuple(sort_key, id)))
      .$narrowType<{ favorite_at: number; parent_id: string }>()
      .orderBy('sort_key')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const paths = await readFolderPaths(db, [...new Set(rows.map((row) => row.parent_id))])
    yield rows.map((row) => ({ ...describeItem(row, paths), markedAt: formatTime(row.favorite_at) }))
    if (rows.length < PAGE) return
    last = rows.at(-1) as (typeof rows)[number]
  }
}

/** The playlists, each with the paths of its tracks in their order. */
export async function* listPlaylistDetails({ db }: Services, user: UserRow): AsyncGenerator<object[]> {
  const playlists = await db
    .selectFrom('playlists')
    .select(['id', 'name', 'created_at', 'updated_at'])
    .where('owner_id', '=', user.id)
    .execute()
  for (const { id, name, created_at, updated_at } of playlists) {
    const rows = await db
      .selectFrom('playlist_tracks')
      .innerJoin('items', 'items.id', 'playlist_tracks.item_id')
      .select(['name', 'kind', 'area', 'parent_id'])
      .where('playlist_id', '=', id)
      .orderBy('place')
      .$narrowType<{ parent_id: string }>()
      .execute()
    const paths = await readFolderPaths(db, [...new Set(rows.map((row) => row.parent_id))])
    const tracks = rows.map((row) => describeItem(row, paths).path)
    yield [{ name, createdAt: formatTime(created_at), updatedAt: formatTime(updated_at), tracks }]
  }
}

function describeItem(
  row: Pick<ItemRow, 'name' | 'kind' | 'area'> & { parent_id: string },
  paths: ReadonlyMap<string, string>,
) {
  return { path: `${paths.get(row.parent_id) ?? ''}/${row.name}`, type: row.kind, isInVault: row.area === 'vault' }
}
