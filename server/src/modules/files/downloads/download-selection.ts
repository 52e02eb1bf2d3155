import { randomUUID } from 'node:crypto'
import { calls } from '@alcove/contract/calls'
import { MAX_DOWNLOAD_SELECTIONS } from '@alcove/contract/limits'
import type { Selection } from '@alcove/contract/selection'
import type { Context, Services, UserContext } from '../../../context.ts'
import { signGrant } from '../../../platform/crypto/signed-url.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { endpoint } from '../../../platform/http/api.ts'
import type { StreamResponse } from '../../../platform/http/send-bytes.ts'
import {
  type ChosenItem,
  getOwnPlace,
  isAtOrBelow,
  keepTopmost,
  listChosen,
  readChildren,
  splitExtension,
  type ZippedRow,
  zipItems,
  zippedColumns,
} from '../../items/index.ts'

/** Stores the selection, because a hundred thousand ids don't fit into a URL. */
export const getItemsDownloadUrl = endpoint(calls.getItemsDownloadUrl, async (ctx, selection) => {
  const { name, chosen } = await readSelection(ctx, selection)
  const id = randomUUID()
  const { member } = ctx.user
  // A member's selections are the member's own, so that they don't push out those of the owner.
  const holderId = member?.userId ?? ctx.user.id
  const subject = { id, owner: ctx.user.id, member: member?.id }
  const { query, expires } = signGrant(ctx.secrets.urlKey, 'download', subject, ctx.clock.now())
  const kept = { id, owner_id: holderId, name, item_ids: JSON.stringify(chosen), expires_at: expires }
  await ctx.db.transaction().execute(async (tx) => {
    // Deletes the oldest selections, so that nobody fills the table.
    const newest = tx
      .selectFrom('download_selections')
      .select('id')
      .where('owner_id', '=', holderId)
      .orderBy('expires_at', 'desc')
      .limit(MAX_DOWNLOAD_SELECTIONS - 1)
    await tx.deleteFrom('download_selections').where('owner_id', '=', holderId).where('id', 'not in', newest).execute()
    await tx.insertInto('download_selections').values(kept).execute()
  })
  return { url: `${ctx.config.publicUrl}/api/download-item/${id}?${query}` }
})

interface ReadSelection {
  /** The name of the ZIP. */
  name: string
  chosen: KeptSelection
}

async function readSelection(ctx: UserContext, selection: Selection): Promise<ReadSelection> {
  if (selection.allIn) return readFolder(ctx, selection.allIn)
  const items = await keepTopmost(ctx.db, await listChosen(ctx.db, ctx.user, selection))
  return { name: await nameZip(ctx, items), chosen: items.map(({ id }) => id) }
}

/** A whole folder is stored as such and read only when it is sent. */
async function readFolder(ctx: UserContext, allIn: NonNullable<Selection['allIn']>): Promise<ReadSelection> {
  const { folderId, isEncrypted, exceptIds = [] } = allIn
  const folder = await getOwnPlace(ctx.db, ctx.user, folderId ?? undefined, isEncrypted ? 'vault' : 'drive')
  const excepted = new Set(exceptIds)
  const first = await ctx.db
    .selectFrom('items')
    .select(['id', 'parent_id', 'kind', 'name'])
    .where('parent_id', '=', folder.id)
    .where('trashed_at', 'is', null)
    // Enough rows to tell whether there are several items, because the name of the ZIP depends on it.
    .limit(excepted.size + 2)
    .$narrowType<{ parent_id: string }>()
    .execute()
  const items = first.filter(({ id }) => !excepted.has(id))
  return { name: await nameZip(ctx, items), chosen: { folderId: folder.id, exceptIds } }
}

/** Names the ZIP after the single item, the common folder, or the product. */
async function nameZip(
  { db }: UserContext,
  items: readonly Pick<ChosenItem, 'parent_id' | 'kind' | 'name'>[],
): Promise<string> {
  const [first] = items
  if (!first) return 'Alcove'
  if (items.length === 1) return first.kind === 'folder' ? first.name : splitExtension(first.name)[0]
  if (items.some((item) => item.parent_id !== first.parent_id)) return 'Alcove'
  const folder = await db.selectFrom('items').select('name').where('id', '=', first.parent_id).executeTakeFirst()
  // A root folder has no name.
  return folder?.name || 'Alcove'
}

/** Items read per query. */
const PAGE = 1000

/** Finds a stored selection of a user that hasn't expired. */
export function findSelection(ctx: Context, id: string, holderId: string) {
  return ctx.db
    .selectFrom('download_selections')
    .innerJoin('users', 'users.id', 'download_selections.owner_id')
    .select(['name', 'item_ids', 'grants_revoked_at'])
    .where('download_selections.id', '=', id)
    .where('owner_id', '=', holderId)
    .where('expires_at', '>', ctx.clock.now())
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .executeTakeFirst()
}

type StoredSelection = Pick<NonNullable<Awaited<ReturnType<typeof findSelection>>>, 'name' | 'item_ids'>

/** Where the items of a selection must be: in a drive, and for a member at or below the shared folder. */
interface Reach {
  ownerId: string
  folderId?: string
}

/** Streams the items of a selection that still exist, are visible and within reach as one ZIP. */
export function zipSelection(ctx: Context, { name, item_ids }: StoredSelection, reach: Reach): StreamResponse {
  const kept: KeptSelection = JSON.parse(item_ids)
  if (Array.isArray(kept)) return zipItems(ctx, name, () => listNamed(ctx, reach, kept))
  return zipItems(ctx, name, () => listFolder(ctx, reach, kept), { areSiblings: true })
}

/** Items by id, or everything in a folder except some ids. */
type KeptSelection = string[] | { folderId: string; exceptIds: string[] }

/** Yields the items page by page, because a folder may contain a hundred thousand files. */
async function* listFolder(
  { db }: Context,
  reach: Reach,
  { folderId, exceptIds }: Exclude<KeptSelection, string[]>,
): AsyncGenerator<ZippedRow[]> {
  const folder = await selectReached(db, reach).select('id').where('id', '=', folderId).executeTakeFirst()
  if (!folder) return
  const excepted = new Set(exceptIds)
  for await (const rows of readChildren(db, folder.id)) yield rows.filter(({ id }) => !excepted.has(id))
}

async function* listNamed({ db }: Context, reach: Reach, ids: string[]): AsyncGenerator<ZippedRow[]> {
  for (let start = 0; start < ids.length; start += PAGE) {
    const pageIds = ids.slice(start, start + PAGE)
    const rows = await selectReached(db, reach)
      .select(zippedColumns)
      .where(isAmong(db, 'id', pageIds))
      .execute()
    const found = new Map(rows.map((row) => [row.id, row]))
    yield pageIds.flatMap((id) => found.get(id) ?? [])
  }
}

function selectReached(db: Database, { ownerId, folderId }: Reach) {
  return db
    .selectFrom('items')
    .where('owner_id', '=', ownerId)
    .where('trash_id', 'is', null)
    .$if(folderId !== undefined, (query) => query.where(isAtOrBelow(folderId as string)))
}

/** Deletes selections whose URL has expired. Safe to run at any time. */
export async function sweepSelections({ db, clock }: Services): Promise<void> {
  await db.deleteFrom('download_selections').where('expires_at', '<=', clock.now()).execute()
}
