import { type Selectable, sql } from 'kysely'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { DeletionGroupTable, ItemRow } from '../../../platform/db/tables.ts'
import { describeDevice, UNKNOWN_DEVICE } from '../../../platform/http/describe-device.ts'
import { orderedId } from '../../../platform/ordered-id.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { notify } from '../../notices/index.ts'
import { noteScattered } from '../activity/note-activity.ts'
import { hideInTrash } from '../bulk/trash.ts'
import { deleteMounts } from '../delete-mounts.ts'
import type { LeavingItem } from '../locks/assert-unlocked.ts'
import { countFiles } from './count-files.ts'
import { massDeletionMailJob } from './mass-deletion-mail.ts'
import { DELETION_WINDOW } from './protected-items.ts'

/** Deletions within this time share a row until there is an alarm. The window is exact to this. In milliseconds. */
const SHARE = 60_000
/** An app or a member who deletes fewer files causes no alarm. */
const MIN_FILES = 50
/** An app or a member who deletes more than one of so many files causes an alarm. */
const ONE_OF = 5

type Deleting = Pick<UserContext, 'user' | 'clock' | 'jobs' | 'log' | 'ip' | 'userAgent'>
type Deleted = LeavingItem & Pick<ItemRow, 'kind' | 'area' | 'mount_of'>
type Group = Selectable<DeletionGroupTable>

/**
 * Moves items to the trash because a user or an app deletes them, like `hideInTrash`. If an app or a member of a shared folder deletes
 * more than a fifth of the owner's files within ten minutes, and at least 50, the deletions become one group, which the owner can
 * restore as a whole. The app notices nothing: an error would make it try again. Sessions of the owner cost no further statement. The
 * owner's tree must be locked. Mounts are only taken out of the tree.
 */
export async function moveToTrash(ctx: Deleting, tx: Tx, chosen: readonly Deleted[]): Promise<void> {
  const now = ctx.clock.now()
  const mounts = chosen.filter(({ mount_of }) => mount_of !== null)
  if (mounts.length > 0) await deleteMounts(tx, ctx.user, mounts, now)
  const items = chosen.filter(({ mount_of }) => mount_of === null)
  if (items.length === 0) return
  await hideInTrash(tx, ctx.user, items, now)
  noteScattered(tx, ctx.user, { action: 'trashed', items, now })
  const by = deleterOf(ctx.user)
  if (by === undefined) return
  const files = await countFiles(tx, items)
  const recent = await listRecentGroups(tx, ctx, by)
  const alarmed = recent.find(({ alarmed_at }) => alarmed_at !== null)
  const group = await addToGroup(tx, ctx, by, alarmed ?? recent[0], files)
  await sql`update items set deletion_group = ${group.id}
    where ${isAmong(
      tx,
      'id',
      items.map(({ id }) => id),
    )}`.execute(tx)
  if (alarmed) return
  const since = ctx.clock.now() - DELETION_WINDOW
  const others = recent.filter(({ id, started_at }) => id !== group.id && started_at > since)
  const deleted = group.files + others.reduce((sum, other) => sum + other.files, 0)
  if (deleted < MIN_FILES || (group.total_files !== null && deleted * ONE_OF <= group.total_files)) return
  // Counts all files only now, and again in the next minute: what is added or deleted meanwhile hardly matters.
  const total = deleted + (await countVisibleFiles(tx, ctx.user.id))
  if (deleted * ONE_OF > total) return raiseAlarm(tx, ctx, { group, others, deleted, total })
  await tx.updateTable('deletion_groups').set({ total_files: total }).where('id', '=', group.id).execute()
}

/** Returns the id of the app password or of the member whose deletions count together. Undefined for the owner in the web. */
function deleterOf({ appPassword, member }: Deleting['user']): string | undefined {
  return member?.userId ?? appPassword?.id
}

/** Returns the groups of an app or a member to which a deletion now may belong, newest first. */
function listRecentGroups(tx: Tx, { user, clock }: Deleting, by: string): Promise<Group[]> {
  return tx
    .selectFrom('deletion_groups')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('app_password_id', '=', by)
    .where('last_at', '>', clock.now() - DELETION_WINDOW)
    .where('restored_at', 'is', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Adds files to the last group if it is alarmed or has just begun, otherwise to a new one. */
async function addToGroup(tx: Tx, ctx: Deleting, by: string, last: Group | undefined, files: number): Promise<Group> {
  const now = ctx.clock.now()
  if (last && (last.alarmed_at !== null || now - last.started_at < SHARE)) {
    return tx
      .updateTable('deletion_groups')
      .set((eb) => ({ files: eb('files', '+', files), last_at: now }))
      .where('id', '=', last.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  }
  return tx
    .insertInto('deletion_groups')
    .values({
      id: orderedId(),
      user_id: ctx.user.id,
      app_password_id: by,
      ...(await describeDeleter(tx, ctx, by)),
      started_at: now,
      last_at: now,
      files,
      total_files: null,
      alarmed_at: null,
      dismissed_at: null,
      restored_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function describeDeleter(
  tx: Tx,
  { user: { member }, userAgent }: Deleting,
  appPasswordId: string,
): Promise<Pick<Group, 'app' | 'app_password_name' | 'member_email'>> {
  if (member) return { app: member.email, app_password_name: '', member_email: member.email }
  const used = await tx.selectFrom('app_passwords').select('name').where('id', '=', appPasswordId).executeTakeFirst()
  if (!used) throw new AppError('unauthenticated', 'This app password was revoked.')
  const device = describeDevice(userAgent)
  const app = device === UNKNOWN_DEVICE ? used.name : device
  return { app, app_password_name: used.name, member_email: null }
}

async function countVisibleFiles(tx: Tx, userId: string): Promise<number> {
  const { files } = await tx
    .selectFrom('items')
    .select((eb) => eb.fn.countAll().as('files'))
    .where('owner_id', '=', userId)
    .where('kind', '=', 'file')
    .where('trashed_at', 'is', null)
    .where('trash_id', 'is', null)
    .executeTakeFirstOrThrow()
  // PostgreSQL returns counts as text.
  return Number(files)
}

interface Alarm {
  group: Group
  /** The other groups of the same app or member of the last ten minutes. */
  others: readonly Group[]
  deleted: number
  total: number
}

/** Makes one group of the deletions of the last ten minutes, and queues the notice and the mail about it. */
async function raiseAlarm(tx: Tx, ctx: Deleting, { group, others, deleted, total }: Alarm): Promise<void> {
  const now = ctx.clock.now()
  const ids = others.map(({ id }) => id)
  await sql`update items set deletion_group = ${group.id} where ${isAmong(tx, 'deletion_group', ids)}`.execute(tx)
  await tx
    .deleteFrom('deletion_groups')
    .where(isAmong(tx, 'id', ids))
    .execute()
  await tx
    .updateTable('deletion_groups')
    .set({
      files: deleted,
      total_files: total,
      started_at: Math.min(group.started_at, ...others.map(({ started_at }) => started_at)),
      alarmed_at: now,
    })
    .where('id', '=', group.id)
    .execute()
  await ctx.jobs.enqueue(tx, massDeletionMailJob, { groupId: group.id })
  const { app, app_password_name: appPassword, member_email: member } = group
  const data = { app, appPassword, ...(member !== null && { member }) }
  await notify(ctx, tx, ctx.user.id, { kind: 'mass_deletion', data })
  logSecurity(ctx, 'mass_deletion', { account: ctx.user.email })
}
