import { isDeepStrictEqual } from 'node:util'
import type { UploadedFile } from '@alcove/contract/uploads'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SessionUser } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import { uploadColumns } from '../../platform/db/columns.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isAmong, isPostgres } from '../../platform/db/portable-sql.ts'
import { prepareAhead, prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { ItemRow, UploadRow } from '../../platform/db/tables.ts'
import { isInReach, isWithin, NotAsExpected, presentFile } from '../items/index.ts'
import { presentForVisitors } from './visitors/for-visitors.ts'

const uploadOf = (db: Database, value: Value<{ id: string }>) =>
  db.selectFrom('uploads').select(uploadColumns).where('id', '=', value('id'))

const findUpload = prepareQuery(uploadOf)

const findUploadAhead = prepareAhead(uploadOf)

/** Ends a transaction, because the upload that it would open is known already. */
export class UploadKnown extends Error {}

/** Lets the next statement throw `UploadKnown` if an upload is known already, whoever has it. */
export function letNextAssertNew(tx: Tx, id: string): Promise<void> {
  return findUploadAhead(tx, { id }, ([known]) => {
    if (known) throw new UploadKnown()
  })
}

/**
 * Returns the user's upload, or undefined if the id is unknown. Throws 'not found' for another user's upload, and for one to a
 * folder that the app password can't use.
 */
export async function findOwnUpload(db: Database, user: SessionUser, id: string): Promise<UploadRow | undefined> {
  const [upload] = (await findUpload(db, { id })).rows
  if (upload) await assertOwn(db, user, [upload])
  return upload
}

/** Returns the existing uploads by id. Throws 'not found' for another user's upload. */
export async function findOwnUploads(
  db: Database,
  user: SessionUser,
  ids: readonly string[],
): Promise<Map<string, UploadRow>> {
  const uploads = await db
    .selectFrom('uploads')
    .selectAll()
    .where(isAmong(db, 'id', ids))
    .execute()
  await assertOwn(db, user, uploads)
  return new Map(uploads.map((upload) => [upload.id, upload]))
}

async function assertOwn(db: Database, user: SessionUser, uploads: readonly UploadRow[]): Promise<void> {
  const reach = user.appPassword?.folderId
  const folders = new Set(uploads.map(({ folder_id }) => folder_id))
  // A visitor has only the uploads of the own submission, and a member of a shared folder only the own ones.
  const isOwn = uploads.every(
    (upload) =>
      upload.owner_id === user.id &&
      upload.member_id === (user.member?.id ?? null) &&
      (!user.submission || upload.submission_id === user.submission.id),
  )
  if (!isOwn || (reach && !(await areWithin(db, folders, reach)))) throw notFound('upload')
}

async function areWithin(db: Database, folderIds: Iterable<string | null>, reach: string): Promise<boolean> {
  for (const id of folderIds) if (id === null || !(await isWithin(db, id, reach))) return false
  return true
}

export async function getOwnUpload(db: Database, user: SessionUser, id: string): Promise<UploadRow> {
  const upload = await findOwnUpload(db, user, id)
  if (!upload) throw notFound('upload')
  return upload
}

/**
 * Locks an upload until the transaction ends, so that its chunks are claimed, added and completed one at a time.
 * Uploads are always locked before the user's tree.
 */
export async function lockUpload(tx: Database, user: SessionUser, id: string): Promise<UploadRow> {
  const [upload] = isWithoutLimits(user)
    ? (await lockPlain(tx, { id, ownerId: user.id })).rows
    : await lockWhere(tx, () => id)
        .where('owner_id', '=', user.id)
        .where(isInReach(user, 'uploads.folder_id'))
        .where(isOfSender(user))
        .execute()
  if (!upload) throw notFound('upload')
  return upload
}

/** Returns whether a user may change all own uploads. */
export function isWithoutLimits({ member, submission, appPassword }: SessionUser): boolean {
  return !member && !submission && appPassword?.folderId === undefined
}

const lockWhere = (db: Database, value: Value<{ id: string }>) =>
  db
    .updateTable('uploads')
    .set((eb) => ({ expires_at: eb.ref('expires_at') }))
    .where('id', '=', value('id'))
    .returning(uploadColumns)

const lockPlain = prepareQuery((db, value: Value<{ id: string; ownerId: string }>) =>
  lockWhere(db, value).where('owner_id', '=', value('ownerId')).where('member_id', 'is', null),
)

/** Limits a query of uploads to those of the visitor's submission or of the member, if one makes the request. Others see none of members. */
export function isOfSender({ submission, member }: SessionUser): RawBuilder<SqlBool> {
  if (member) return sql<SqlBool>`uploads.member_id = ${member.id}`
  return submission ? sql<SqlBool>`uploads.submission_id = ${submission.id}` : sql<SqlBool>`uploads.member_id is null`
}

/**
 * Locks an upload that is still open, for a transaction that has locked the tree already. Returns undefined, instead of waiting, if
 * another one has locked it, since that may wait for the tree. `user` must be without limits.
 */
export async function tryLockOpenUpload(tx: Tx, user: SessionUser, id: string): Promise<UploadRow | undefined> {
  return (await tryLock(tx, { id, ownerId: user.id })).rows[0]
}

/** Does the same ahead, for changes that run at once: they expect that the upload is as it was when it was read. */
export async function letNextAssertLocked(tx: Tx, user: SessionUser, known: UploadRow): Promise<void> {
  await tryLockAhead(tx, { id: known.id, ownerId: user.id }, ([upload]) => {
    if (!isDeepStrictEqual({ ...upload }, { ...known })) throw new NotAsExpected()
  })
}

const openUploadOf = (db: Database, value: Value<{ id: string; ownerId: string }>) =>
  db
    .selectFrom('uploads')
    .select(uploadColumns)
    .where('id', '=', value('id'))
    .where('owner_id', '=', value('ownerId'))
    .where('member_id', 'is', null)
    .where('completed_at', 'is', null)
    // On SQLite, transactions that write run one after the other.
    .$if(isPostgres(db), (uploads) => uploads.forUpdate().skipLocked())

const tryLock = prepareQuery(openUploadOf)

const tryLockAhead = prepareAhead(openUploadOf)

/** Locks an upload that is still open. */
export async function lockOpenUpload(tx: Database, user: SessionUser, id: string): Promise<UploadRow> {
  const upload = await lockUpload(tx, user, id)
  if (upload.completed_at !== null) throw uploadCompleted()
  return upload
}

export function uploadCompleted(): AppError {
  return new AppError('upload_completed', 'This upload is already complete.')
}

export function isBeingReceived(): AppError {
  return new AppError('state_conflict', 'This upload is being received by another request. Try again in a moment.')
}

/** Returns the file of a completed upload as it is now. */
export async function presentUploaded(db: Database, user: SessionUser, upload: UploadRow): Promise<UploadedFile> {
  const file = await findUploaded(db, user, upload)
  if (!file) throw notFound('file')
  return file
}

/**
 * Returns the file of an upload, or undefined if the upload is open or the file was permanently deleted. Members of a shared folder
 * don't see it any more once it is elsewhere.
 */
export async function findUploaded(
  db: Database,
  user: SessionUser,
  upload: UploadRow,
): Promise<UploadedFile | undefined> {
  if (upload.item_id === null) return undefined
  const row = await db
    .selectFrom('items')
    .selectAll()
    .where('id', '=', upload.item_id)
    .where('owner_id', '=', user.id)
    .$if(user.member !== undefined, (files) => files.where(isInReach(user)).where('trash_id', 'is', null))
    .executeTakeFirst()
  return row && presentUploadedFile(row, user, upload)
}

/** Returns the file that an upload created, with the size of the versions that made space for it. */
export function presentUploadedFile(
  item: ItemRow,
  user: SessionUser,
  upload: Pick<UploadRow, 'id' | 'filename' | 'thinned_bytes'>,
): UploadedFile {
  const { thinned_bytes } = upload
  const file = { ...presentFile(item, user), ...(thinned_bytes > 0 && { thinnedBytes: thinned_bytes }) }
  return user.submission ? presentForVisitors(file, upload) : file
}
