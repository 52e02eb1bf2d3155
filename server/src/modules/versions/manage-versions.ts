import { calls } from '@alcove/contract/calls'
import type { Version } from '@alcove/contract/versions'
import type { SessionUser, UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import {
  assertUnlocked,
  changeQuota,
  changeTree,
  deleteVersionRows,
  isInReach,
  noteActivity,
  noteChange,
  presentFile,
  withMark,
} from '../items/index.ts'
import { type ItemToReplace, type RestoredVersion, restoredVersionOf, selectWithHistory } from './file-history.ts'
import { keepAsVersion, putBack } from './replace-bytes.ts'
import { setBytes } from './version-rows.ts'

export const listVersions = endpoint(calls.listVersions, async (ctx, { id, limit, cursor }) => {
  const file = await getFileWithHistory(ctx.db, ctx.user, id)
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor)
  const [rows, { total }] = await Promise.all([
    selectVersions(ctx.db, file)
      .where('versions.created_at', '<', before)
      .orderBy('versions.created_at', 'desc')
      // Reads one more, to know whether there is another page.
      .limit(limit + 1)
      .execute(),
    ctx.db
      .selectFrom('versions')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('item_id', '=', file.id)
      .executeTakeFirstOrThrow(),
  ])
  const shown = rows.slice(0, limit)
  return {
    versions: shown.map((version) => presentVersion(version, ctx.user)),
    total: Number(total),
    nextCursor: rows.length > limit ? String(shown.at(-1)?.created_at) : null,
    currentName: restoredVersionOf(file)?.name ?? null,
  }
})

/**
 * Exchanges the current bytes with those of a version, in a constant number of statements. The usage stays the same, so it is
 * possible without any free space. Repeating it returns the same.
 */
export function restoreFileVersion(ctx: UserContext, { id, versionId }: { id: string; versionId: string }) {
  return changeTree(ctx, async (tx) => {
    const file = await getFileWithHistory(tx, ctx.user, id)
    const restored = restoredVersionOf(file)
    if (restored?.id === versionId) {
      return { ...presentFile(file, ctx.user), replacedVersionId: restored.replacedVersionId }
    }
    await assertUnlocked(tx, ctx.user, ctx.clock.now(), [file.id])
    const version = await getVersion(tx, file, versionId)
    if (version.damaged_at !== null) throw damaged()
    if (file.sha256 !== null && file.sha256 === version.sha256)
      return { ...presentFile(file, ctx.user), replacedVersionId: null }
    const replacedVersionId = await (restored ? putBack(ctx, tx, file, restored) : keepAsVersion(ctx, tx, file))
    await tx.deleteFrom('versions').where('id', '=', version.id).execute()
    await changeQuota(tx, ctx.user.id, { versions: file.size - version.size })
    const folderId = file.parent_id as string
    await noteChange(tx, ctx.user, folderId, version.size - file.size)
    noteActivity(tx, ctx.user, { action: 'changed', folderId, items: [file], now: ctx.clock.now() })
    const { id: itsId, name, created_at, author_id, device } = version
    const item = await setBytes(tx, {
      fileId: file.id,
      blobKey: version.blob_key,
      size: version.size,
      modifiedAt: version.modified_at,
      vaultCheck: version.vault_check,
      restoredVersion: JSON.stringify({
        ...{ id: itsId, name, createdAt: created_at, authorId: author_id, device, replacedVersionId },
      } satisfies RestoredVersion),
      replacedAt: null,
      replacedIn: null,
      now: ctx.clock.now(),
    })
    return { ...presentFile(item, ctx.user), replacedVersionId }
  })
}

export const restoreVersion = endpoint(calls.restoreVersion, async (ctx, input) =>
  withMark(ctx.db, ctx.user, await restoreFileVersion(ctx, input)),
)

function damaged(): AppError {
  return new AppError(
    'state_conflict',
    "This version's stored bytes are damaged, so it can't be restored. Other versions of the file aren't affected.",
  )
}

export const renameVersion = endpoint(calls.renameVersion, (ctx, { id, versionId, name }) =>
  changeTree(ctx, async (tx) => {
    const file = await getFileWithHistory(tx, ctx.user, id)
    await getVersion(tx, file, versionId)
    await tx.updateTable('versions').set({ name }).where('id', '=', versionId).execute()
    return presentVersion(await getVersion(tx, file, versionId), ctx.user)
  }),
)

export const deleteVersion = endpoint(calls.deleteVersion, (ctx, { id, versionId }) =>
  changeTree(ctx, async (tx) => {
    const file = await getFileWithHistory(tx, ctx.user, id)
    await getVersion(tx, file, versionId)
    const bytes = await deleteVersionRows(ctx, tx, [versionId])
    await changeQuota(tx, ctx.user.id, { used: -bytes, versions: -bytes })
    return { message: 'The version was deleted.' }
  }),
)

/** Returns the user's own file. Throws 'not found', or a conflict if it is in the trash. */
async function getFileWithHistory(db: Database, user: SessionUser, id: string): Promise<ItemToReplace> {
  const file = await selectWithHistory(db)
    .where('id', '=', id)
    .where('owner_id', '=', user.id)
    .where(isInReach(user))
    .where('kind', '=', 'file')
    .executeTakeFirst()
  if (!file) throw notFound('file')
  if (file.trash_id !== null) {
    throw new AppError('state_conflict', 'This file is in the trash. Restore the file to see its earlier versions.')
  }
  return file
}

function selectVersions(db: Database, file: Pick<ItemRow, 'id'>) {
  return db
    .selectFrom('versions')
    .innerJoin('blobs', 'blobs.key', 'versions.blob_key')
    .leftJoin('users', 'users.id', 'versions.author_id')
    .selectAll('versions')
    .select(['blobs.sha256', 'blobs.damaged_at', 'users.email', 'users.display_name'])
    .where('versions.item_id', '=', file.id)
}

async function getVersion(db: Database, file: Pick<ItemRow, 'id'>, versionId: string) {
  const version = await selectVersions(db, file).where('versions.id', '=', versionId).executeTakeFirst()
  if (!version) throw notFound('version')
  return version
}

type ReadVersion = Awaited<ReturnType<typeof getVersion>>

/** Members of a shared folder don't see which devices others have. */
function presentVersion(version: ReadVersion, { member }: SessionUser): Version {
  return {
    id: version.id,
    size: version.size,
    sha256: version.sha256,
    modifiedAt: formatTime(version.modified_at),
    createdAt: formatTime(version.created_at),
    author: version.display_name ?? version.email ?? '',
    device: member ? '' : version.device,
    name: version.name,
    isDamaged: version.damaged_at !== null,
    ...(version.vault_check !== null && { vaultCheck: version.vault_check }),
  }
}
