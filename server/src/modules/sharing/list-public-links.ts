import type { listPublicLinks as call } from '@alcove/contract/sharing'
import { AppError } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { presentFile, presentFolder, readFolderPaths } from '../items/index.ts'
import { presentPublicLink } from './public-links.ts'

export const listPublicLinks: Operation<typeof call> = async ({ db, user, config }, { limit, cursor }) => {
  const shared = db
    .selectFrom('items')
    .where('items.owner_id', '=', user.id)
    .where('items.shared_at', 'is not', null)
    .where('items.trash_id', 'is', null)
  const after = cursor === undefined ? undefined : readCursor(cursor)
  let page = shared
    .innerJoin('public_links', 'public_links.item_id', 'items.id')
    .selectAll('items')
    .select(['token', 'password_hash', 'expires_at', 'download_count'])
    .orderBy('items.shared_at', 'desc')
    .orderBy('items.id', 'desc')
    .limit(limit + 1)
  if (after) {
    page = page.where((eb) =>
      eb(eb.refTuple('items.shared_at', 'items.id'), '<', eb.tuple(eb.val(after.sharedAt), eb.val(after.id))),
    )
  }
  const [rows, { total }] = await Promise.all([
    page.execute(),
    shared.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow(),
  ])
  const shown = rows.slice(0, limit)
  const paths = await readFolderPaths(db, [...new Set(shown.map((row) => row.parent_id as string))])
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    links: shown.map((row) => ({
      ...presentPublicLink(config, row, row),
      item: row.kind === 'file' ? presentFile(row, user) : presentFolder(row, user),
      path: `${paths.get(row.parent_id as string) ?? ''}/${row.name}`,
      isEncrypted: row.area === 'vault',
      sharedAt: new Date(row.shared_at as number).toISOString(),
    })),
    nextCursor: last ? `${last.shared_at}.${last.id}` : null,
    total: Number(total),
  }
}

function readCursor(cursor: string): { sharedAt: number; id: string } {
  const [, sharedAt, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? []
  if (sharedAt === undefined || id === undefined)
    throw new AppError('malformed', 'Invalid cursor. Start again without one.')
  return { sharedAt: Number(sharedAt), id }
}
