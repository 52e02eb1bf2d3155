import type { Link, LinkState } from '@alcove/contract/links'
import type { PublicLink } from '@alcove/contract/sharing'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { Clock } from '../../platform/clock.ts'
import { createLinkToken } from '../../platform/crypto/one-time-token.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow, PublicLinkRow } from '../../platform/db/tables.ts'
import { formatTime } from '../../platform/format.ts'
import { orderedId } from '../../platform/ordered-id.ts'

/** Returns an item's first link, and creates it disabled if there is none. The owner's tree must be locked. */
export async function ensureFirstLink(
  tx: Tx,
  item: Pick<ItemRow, 'id' | 'owner_id'>,
  now: number,
): Promise<PublicLinkRow> {
  await tx
    .insertInto('public_links')
    .values({
      ...{ id: orderedId(), owner_id: item.owner_id, item_id: item.id, is_first: 1 },
      ...{ token: createLinkToken(), permission: 'view', created_at: now, enabled_at: null },
    })
    .onConflict((conflict) => conflict.column('item_id').where('is_first', '=', sql.lit(1)).doNothing())
    .execute()
  return tx
    .selectFrom('public_links')
    .selectAll()
    .where('item_id', '=', item.id)
    .where('is_first', '=', 1)
    .executeTakeFirstOrThrow()
}

/** Records whether any link of an item is enabled, which lists show. Called in the transaction of every change of its links. */
export async function noteShared(tx: Tx, itemId: string): Promise<void> {
  await tx
    .updateTable('items')
    .set((eb) => ({
      shared_at: eb
        .selectFrom('public_links')
        .select((of) => of.fn.min('enabled_at').as('enabled_at'))
        .where('item_id', '=', itemId),
    }))
    .where('id', '=', itemId)
    .execute()
}

/** Returns a link as its owner sees it. */
export function presentLink({ config, clock }: { config: Config; clock: Clock }, row: PublicLinkRow): Link {
  return {
    id: row.id,
    ...presentPublicLink(config, row),
    isFirst: row.is_first === 1,
    label: row.label,
    right: row.permission,
    state: stateOf(row, clock.now()),
    createdAt: formatTime(row.created_at),
    maxDownloads: row.max_downloads,
    title: row.title,
    message: row.message,
    visitorName: row.visitor_name,
    folderPerVisitor: row.folder_per_visitor === 1,
    maxBytes: row.max_bytes,
    maxFileBytes: row.max_file_bytes,
    maxFiles: row.max_files,
    fileTypes: readFileTypes(row),
    receivedFiles: row.received_files,
    receivedBytes: row.received_bytes,
  }
}

/** Returns what the calls of the specification show of a link. */
export function presentPublicLink(config: Config, row: PublicLinkRow): PublicLink {
  return {
    link: `${config.publicUrl}/s/${row.token}`,
    enabled: row.enabled_at !== null,
    hasPassword: row.password_hash !== null,
    expiresAt: row.expires_at === null ? null : formatTime(row.expires_at),
    downloadCount: row.download_count,
  }
}

export function readFileTypes({ file_types }: Pick<PublicLinkRow, 'file_types'>): string[] {
  return file_types === null ? [] : (JSON.parse(file_types) as string[])
}

function stateOf(row: PublicLinkRow, now: number): LinkState {
  if (row.enabled_at === null) return 'disabled'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  if (row.max_downloads !== null && row.download_count >= row.max_downloads) return 'used up'
  const isFull =
    (row.max_files !== null && row.received_files >= row.max_files) ||
    (row.max_bytes !== null && row.received_bytes >= row.max_bytes)
  return isFull && row.permission === 'upload' ? 'full' : 'active'
}
