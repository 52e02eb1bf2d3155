import { randomUUID } from 'node:crypto'
import { type AppPassword, NO_SCOPE } from '@alcove/contract/app-passwords'
import type { Scope } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import { MAX_APP_PASSWORDS } from '@alcove/contract/limits'
import type { Services, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { createAppPassword as createSecret, hashAppPassword } from '../../../platform/crypto/app-password.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { securityEvent } from '../../../platform/security-log.ts'
import { getOwnFolder, readFolderPaths, releaseLocksOf } from '../../items/index.ts'
import { reportSecurityChange, sendQueuedMails } from '../mails.ts'
import { revokeGrants } from '../sessions/sessions.ts'

export const listAppPasswords = endpoint(calls.listAppPasswords, async (ctx) => ({
  appPasswords: await readAppPasswords(ctx, ctx.user.id),
}))

/** Returns the app passwords of a user that still work, newest first. */
export async function readAppPasswords(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  userId: string,
): Promise<AppPassword[]> {
  const rows = await validAppPasswords(db, userId, clock.now())
    .leftJoin('items as folder', 'folder.id', 'app_passwords.folder_id')
    .selectAll('app_passwords')
    .select('folder.trash_id')
    .orderBy('app_passwords.created_at', 'desc')
    .orderBy('app_passwords.id')
    .execute()
  const paths = await readFolderPaths(
    db,
    rows.flatMap(({ folder_id, trash_id }) => (folder_id !== null && trash_id === null ? [folder_id] : [])),
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    scope: row.scope,
    folderId: row.folder_id,
    folderPath: row.folder_id === null ? null : (paths.get(row.folder_id) ?? null),
    createdAt: formatTime(row.created_at),
    expiresAt: row.expires_at === null ? null : formatTime(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : formatTime(row.last_used_at),
    app: row.app,
    ip: row.ip,
  }))
}

function validAppPasswords(db: Database, userId: string, now: number) {
  return db
    .selectFrom('app_passwords')
    .where('app_passwords.user_id', '=', userId)
    .where((eb) => eb.or([eb('app_passwords.expires_at', 'is', null), eb('app_passwords.expires_at', '>', now)]))
}

export const createAppPassword = endpoint(
  calls.createAppPassword,
  securityEvent('app_password_created', async (ctx, { expiresAt, ...details }) => {
    const { user, clock } = ctx
    // Nobody else learns that there are administrators.
    if (details.scope === 'admin' && !user.isAdmin) throw new AppError('malformed', NO_SCOPE)
    if (details.scope === 'admin' && details.folderId !== undefined) {
      throw new AppError('malformed', 'A token for administration reaches no folder.')
    }
    const expires = expiresAt ? Date.parse(expiresAt) : null
    if (expires !== null && expires <= clock.now()) {
      throw new AppError('malformed', 'The end date must be in the future.')
    }
    const created = await ctx.db.transaction().execute((tx) => addAppPassword(ctx, tx, { ...details, expires }))
    await sendQueuedMails(ctx)
    return { ...created, user: user.email }
  }),
)

interface NewAppPassword {
  name: string
  scope: Scope
  folderId?: string | undefined
  /** When it expires, if it does. */
  expires?: number | null
}

/**
 * Adds an app password of the caller and queues the mail about it, which the caller sends after the transaction. Throws if the user
 * has too many. Only the result contains the secret.
 */
export async function addAppPassword(
  ctx: UserContext,
  tx: Tx,
  { name, scope, folderId, expires = null }: NewAppPassword,
): Promise<{ id: string; secret: string }> {
  const { user, clock, secrets } = ctx
  const now = clock.now()
  const id = randomUUID()
  const secret = createSecret()
  const secret_hash = hashAppPassword(secrets.appPasswordKey, secret) as string
  // Locks the user's row, so that concurrent requests can't exceed the limit.
  await tx
    .updateTable('users')
    .set((eb) => ({ email: eb.ref('email') }))
    .where('id', '=', user.id)
    .execute()
  const { count } = await validAppPasswords(tx, user.id, now)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_APP_PASSWORDS) throw tooManyAppPasswords()
  if (folderId !== undefined) await assertInDrive(tx, user, folderId)
  await tx
    .insertInto('app_passwords')
    .values({
      ...{ id, name, scope, secret_hash, user_id: user.id, folder_id: folderId ?? null },
      ...{ created_at: now, expires_at: expires },
    })
    .execute()
  await reportSecurityChange(ctx, tx, user.id, { change: 'app_password_created', name })
  return { id, secret }
}

async function assertInDrive(...folder: Parameters<typeof getOwnFolder>): Promise<void> {
  const { area } = await getOwnFolder(...folder)
  if (area === 'vault') throw new AppError('state_conflict', 'Apps can’t read the vault. Choose another folder.')
}

function tooManyAppPasswords(): AppError {
  return new AppError('state_conflict', `You have ${MAX_APP_PASSWORDS} app passwords. Revoke one to create another.`)
}

export const revokeAppPassword = endpoint(
  calls.revokeAppPassword,
  securityEvent('app_password_revoked', async (ctx, { id }) => {
    await deleteAppPassword(ctx, { id, userId: ctx.user.id })
    return { message: 'The app password was revoked.' }
  }),
)

/** Deletes an app password of a user, and with it the signed URLs that it may have created and the locks that it holds. */
export async function deleteAppPassword(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Locks the user's row first, as everywhere, so that two requests can't deadlock.
    await revokeGrants(tx, userId, clock.now())
    const deleted = await tx
      .deleteFrom('app_passwords')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) throw new AppError('not_found', 'This app password was not found.')
    await releaseLocksOf(tx, userId, [id])
  })
}

/** Deletes all app passwords of a user with the locks that they hold. The user's row must be locked. Returns how many there were. */
export async function deleteAllAppPasswords(tx: Tx, userId: string): Promise<number> {
  const deleted = await tx.deleteFrom('app_passwords').where('user_id', '=', userId).returning('id').execute()
  const ids = deleted.map(({ id }) => id)
  if (ids.length > 0) await releaseLocksOf(tx, userId, ids)
  return ids.length
}
