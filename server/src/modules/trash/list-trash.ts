import { calls } from '@alcove/contract/calls'
import type { UserContext } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { mapPages, readPages } from '../../platform/db/read-pages.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { PagedResult } from '../../platform/http/paged-result.ts'
import { columnsOf, isInReach, PROTECTED_FOR, presentFile, presentFolder, readFolderPaths } from '../items/index.ts'

const DAY = 86_400_000

export const listTrash = endpoint(calls.listTrash, async (ctx) => {
  const files = mapPages(listRows(ctx, 'file'), (rows) => presentRows(ctx, rows, presentFile))
  const folders = mapPages(listRows(ctx, 'folder'), (rows) => presentRows(ctx, rows, presentFolder))
  return new PagedResult({ files, folders })
})

const trashColumns = ['trashed_at', 'trashed_by', 'trashed_by_email', 'deletion_group'] as const
type TrashedRow = Awaited<ReturnType<ReturnType<typeof selectTrash>['executeTakeFirstOrThrow']>>

function selectTrash({ db, user }: UserContext) {
  return db
    .selectFrom('items')
    .select(columnsOf('vault'))
    .select(trashColumns)
    .where('owner_id', '=', user.id)
    .where(isInReach(user))
    .where('trashed_at', 'is not', null)
    .$narrowType<{ trashed_at: number }>()
}

/** Reads the trashed items of a kind in pages, newest first. */
function listRows(ctx: UserContext, kind: ItemRow['kind']): AsyncGenerator<TrashedRow[]> {
  return readPages<TrashedRow>((last, limit) => {
    let page = selectTrash(ctx).where('kind', '=', kind)
    if (last) page = page.where((eb) => eb(eb.refTuple('trashed_at', 'id'), '<', eb.tuple(last.trashed_at, last.id)))
    return page.orderBy('trashed_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  })
}

/** Adds to each item of a page where it was, when and by whom it was trashed, and for how long it is kept. */
async function presentRows<Presented>(
  { db, user, clock, config }: UserContext,
  rows: readonly TrashedRow[],
  present: (row: TrashedRow, viewer: UserContext['user']) => Presented,
) {
  const folderIds = new Set(rows.map(({ parent_id }) => parent_id as string))
  const [paths, protectedUntil, deleters] = await Promise.all([
    readFolderPaths(db, [...folderIds], user.driveRootId),
    findProtectedUntil(db, rows),
    findDeleters(db, rows),
  ])
  return rows.map((row) => {
    const group = protectedUntil.get(row.deletion_group ?? '') ?? 0
    const left = Math.max(row.trashed_at + config.trashRetention, group) - clock.now()
    return {
      ...present(row, user),
      deleted_at: formatTime(row.trashed_at),
      originalPath: paths.get(row.parent_id as string) || '/',
      daysLeft: Math.max(0, Math.ceil(left / DAY)),
      ...(row.trashed_by && { deletedBy: deleters.get(row.trashed_by) ?? row.trashed_by_email ?? '' }),
    }
  })
}

/** Returns until when the items of mass deletions are protected, by the group. */
async function findProtectedUntil(
  db: Database,
  rows: readonly Pick<ItemRow, 'deletion_group'>[],
): Promise<Map<string, number>> {
  const ids = [...new Set(rows.map((row) => row.deletion_group).filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const groups = await db
    .selectFrom('deletion_groups')
    .select(['id', 'alarmed_at'])
    .where(isAmong(db, 'id', ids))
    .where('alarmed_at', 'is not', null)
    .$narrowType<{ alarmed_at: number }>()
    .execute()
  return new Map(groups.map(({ id, alarmed_at }) => [id, alarmed_at + PROTECTED_FOR]))
}

/** Returns the addresses of members who trashed items, by the user. Deleted accounts are missing. */
async function findDeleters(db: Database, rows: readonly Pick<ItemRow, 'trashed_by'>[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map((row) => row.trashed_by).filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const users = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where(isAmong(db, 'id', ids))
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(users.map(({ id, email }) => [id, email]))
}
