import { calls } from '@alcove/contract/calls'
import { sql } from 'kysely'
import type { Services } from '../../../context.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { yieldingTransaction } from '../../../platform/db/yielding-transaction.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { securityEvent } from '../../../platform/security-log.ts'
import { queueEndOfCustomer } from '../../billing/index.ts'
import { queueMountRemoval } from '../../items/index.ts'
import { type NewNotice, notifyAll } from '../../notices/index.ts'
import { queueBlobRemovalOf } from '../../storage/index.ts'
import { assertNotLastAdministrator } from '../administrators/roles.ts'
import { BATCH_SIZE, deleteLeftoversJob, deleteWhole } from './delete-leftovers.ts'

/** Deletes the account immediately and permanently. */
export const deleteAccount = endpoint(
  calls.deleteAccount,
  securityEvent('account_deleted', async (ctx) => {
    await deleteUser(ctx, ctx.user.id)
    return { message: 'Your account has been deleted.' }
  }),
)

type Deleting = Pick<Services, 'db' | 'jobs' | 'clock'>

interface DeletionOptions {
  /** Deletes the account only if an administrator has said that it be deleted by this time. */
  dueBy?: number
  /** Runs in the transaction, with the user's address. */
  note?: (tx: Tx, email: string) => Promise<void>
}

/**
 * Deletes a user with all rows in one transaction and queues the removal of the bytes. If the account is large, that
 * transaction only closes it and a job deletes the rest (`delete-leftovers.ts`), because deleting a million rows would
 * block everyone on SQLite. Does nothing if the user is already gone. Throws if the user is the last administrator.
 */
export async function deleteUser(services: Deleting, userId: string, options: DeletionOptions = {}): Promise<void> {
  const isLarge = await isLargeAccount(services.db, userId)
  await yieldingTransaction(services.db, async (tx) => {
    await assertNotLastAdministrator(tx, userId)
    const uploads = await lockUploads(tx, userId)
    const user = await findUser(tx, userId)
    if (!user || !(await lockUser(tx, userId, options.dueBy))) return
    const name = user.display_name ?? user.email
    await options.note?.(tx, user.email)
    await notifyMembers(services, tx, userId, name)
    if (!isLarge) return deleteWhole(services, tx, userId)
    await closeAccount(services, tx, { userId, uploads })
    await services.jobs.enqueue(tx, deleteLeftoversJob, { userId })
  })
}

function findUser(tx: Tx, userId: string) {
  return tx.selectFrom('users').select(['email', 'display_name']).where('id', '=', userId).executeTakeFirst()
}

/** Tells the people with whom the user shares folders that these are gone: one notice for each person. */
async function notifyMembers(services: Deleting, tx: Tx, userId: string, owner: string): Promise<void> {
  const people = await tx
    .selectFrom('members')
    .innerJoin('items as folder', 'folder.id', 'members.folder_id')
    .select((eb) => [
      eb.ref('members.user_id').$notNull().as('id'),
      eb.fn.min('folder.name').as('folder'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('members.owner_id', '=', userId)
    .where('members.user_id', 'is not', null)
    .where('folder.trash_id', 'is', null)
    .groupBy('members.user_id')
    .execute()
  const notices = people.map(({ id, folder, count }): [string, NewNotice] => [
    id,
    { kind: 'share_ended', data: { folder, owner }, count: Number(count) },
  ])
  await notifyAll(services, tx, new Map(notices))
}

/** Locks the user's unfinished uploads. Like every change of a user's tree, it locks uploads before the user. */
async function lockUploads(tx: Tx, userId: string): Promise<string[]> {
  const unfinished = await tx
    .selectFrom('uploads')
    .select('id')
    .where('owner_id', '=', userId)
    .where('completed_at', 'is', null)
    .limit(BATCH_SIZE)
    .execute()
  const ids = unfinished.map(({ id }) => id)
  if (ids.length === 0) return ids
  await tx
    .updateTable('uploads')
    .set((eb) => ({ expires_at: eb.ref('expires_at') }))
    .where(isAmong(tx, 'id', ids))
    .where('completed_at', 'is', null)
    .execute()
  return ids
}

/**
 * Locks a user and releases the email address, which also blocks new rows that refer to the user. Returns false if the
 * account is gone. Uploads added between the two locks can cause a conflict, so this runs in a `yieldingTransaction`.
 */
async function lockUser(tx: Tx, userId: string, dueBy: number | undefined): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email: userId })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .$if(dueBy !== undefined, (due) => due.where('deletion_due_at', '<=', dueBy as number))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The tables whose rows are deleted when an account is closed. None of them holds many rows of one user. */
const CLOSED_WITH_ACCOUNT = [
  'sessions',
  'one_time_tokens',
  'known_devices',
  'two_factor',
  'recovery_codes',
  'passkeys',
  'app_passwords',
  'challenges',
  'oidc_flows',
  'oidc_identities',
  'billing_customers',
  'billing_mails',
] as const

/**
 * Closes an account, so that its contents are no longer accessible. The user's row and unfinished uploads must be locked
 * and the email address released. Items, search index and finished uploads remain as leftovers.
 */
async function closeAccount(
  services: Pick<Services, 'jobs' | 'clock'>,
  tx: Tx,
  { userId, uploads }: { userId: string; uploads: readonly string[] },
): Promise<void> {
  await queueEndOfCustomer(services, tx, userId)
  if (uploads.length > 0) {
    const unfinished = tx
      .selectFrom('uploads')
      .select('blob_key')
      .where(isAmong(tx, 'id', uploads))
    await queueBlobRemovalOf(services, tx, unfinished.where('completed_at', 'is', null))
    await tx
      .deleteFrom('uploads')
      .where(isAmong(tx, 'id', uploads))
      .where('completed_at', 'is', null)
      .execute()
  }
  for (const table of CLOSED_WITH_ACCOUNT) await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  await queueMountRemoval(services, tx, sql`members.owner_id = ${userId}`)
  // What the user shares ends, and what others share with the user.
  for (const column of ['user_id', 'account_id', 'owner_id'] as const) {
    await tx.deleteFrom('members').where(column, '=', userId).execute()
  }
  await tx.deleteFrom('people_groups').where('owner_id', '=', userId).execute()
  await tx.deleteFrom('download_selections').where('owner_id', '=', userId).execute()
  await tx
    .updateTable('users')
    .set({ deleted_at: services.clock.now(), password_hash: '', activated_at: null })
    .where('id', '=', userId)
    .execute()
}

/** Returns whether an account is too large to be deleted in one short transaction. Counts no further than necessary. */
async function isLargeAccount(db: Database, userId: string): Promise<boolean> {
  // Each name that waits for the search index is a row, and each index segment has thousands.
  const segments = await db.selectFrom('search_segments').select('id').where('owner_id', '=', userId).limit(2).execute()
  if (segments.length > 1) return true
  for (const table of ['items', 'versions', 'uploads', 'search_pending'] as const) {
    const some = db
      .selectFrom(table)
      .select('owner_id')
      .where('owner_id', '=', userId)
      .limit(BATCH_SIZE + 1)
    const { count } = await db
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) > BATCH_SIZE) return true
  }
  return false
}
