import { randomUUID } from 'node:crypto'
import type { getItemsDownloadUrl as call } from '@alcove/contract/item-calls'
import { MAX_DOWNLOAD_SELECTIONS } from '@alcove/contract/limits'
import type { Selection } from '@alcove/contract/selection'
import type { UserContext } from '../../../context.ts'
import type { Operation } from '../../../platform/http/api.ts'
import { signGrant } from '../../../platform/secrets/signed-url.ts'
import { type ChosenItem, getOwnPlace, keepTopmost, listChosen, splitExtension } from '../../items/index.ts'
import type { KeptSelection } from './zip-selection.ts'

/** The selection is kept: a hundred thousand ids do not fit into an address. */
export const getItemsDownloadUrl: Operation<typeof call> = async (ctx, selection) => {
  const { name, chosen } = await readSelection(ctx, selection)
  const id = randomUUID()
  const subject = { id, owner: ctx.user.id }
  const { query, expires } = signGrant(ctx.secrets.urlKey, 'download', subject, ctx.clock.now())
  const kept = { id, owner_id: ctx.user.id, name, item_ids: JSON.stringify(chosen), expires_at: expires }
  await ctx.db.transaction().execute(async (tx) => {
    // Room for the new one, so that nobody fills the table.
    const newest = tx
      .selectFrom('download_selections')
      .select('id')
      .where('owner_id', '=', ctx.user.id)
      .orderBy('expires_at', 'desc')
      .limit(MAX_DOWNLOAD_SELECTIONS - 1)
    await tx
      .deleteFrom('download_selections')
      .where('owner_id', '=', ctx.user.id)
      .where('id', 'not in', newest)
      .execute()
    await tx.insertInto('download_selections').values(kept).execute()
  })
  return { url: `${ctx.config.publicUrl}/api/download-item/${id}?${query}` }
}

interface ReadSelection {
  /** Of the ZIP. */
  name: string
  chosen: KeptSelection
}

async function readSelection(ctx: UserContext, selection: Selection): Promise<ReadSelection> {
  if (selection.allIn) return readFolder(ctx, selection.allIn)
  const items = await keepTopmost(ctx.db, await listChosen(ctx.db, ctx.user, selection))
  return { name: await nameZip(ctx, items), chosen: items.map(({ id }) => id) }
}

/** What is in a folder is kept as that: it is read when it is sent, and held by nobody. */
async function readFolder(ctx: UserContext, allIn: NonNullable<Selection['allIn']>): Promise<ReadSelection> {
  const { folderId, isEncrypted, exceptIds = [] } = allIn
  const folder = await getOwnPlace(ctx.db, ctx.user, folderId ?? undefined, isEncrypted ? 'vault' : 'drive')
  const excepted = new Set(exceptIds)
  const first = await ctx.db
    .selectFrom('items')
    .select(['id', 'parent_id', 'kind', 'name'])
    .where('parent_id', '=', folder.id)
    .where('trashed_at', 'is', null)
    // Whether there is more than one, which names the ZIP.
    .limit(excepted.size + 2)
    .$narrowType<{ parent_id: string }>()
    .execute()
  const items = first.filter(({ id }) => !excepted.has(id))
  return { name: await nameZip(ctx, items), chosen: { folderId: folder.id, exceptIds } }
}

/** After the one item, or the folder that all of them lie in, or the product. */
async function nameZip(
  { db }: UserContext,
  items: readonly Pick<ChosenItem, 'parent_id' | 'kind' | 'name'>[],
): Promise<string> {
  const [first] = items
  if (!first) return 'Alcove'
  if (items.length === 1) return first.kind === 'folder' ? first.name : splitExtension(first.name)[0]
  if (items.some((item) => item.parent_id !== first.parent_id)) return 'Alcove'
  const folder = await db.selectFrom('items').select('name').where('id', '=', first.parent_id).executeTakeFirst()
  // A root has no name.
  return folder?.name || 'Alcove'
}
