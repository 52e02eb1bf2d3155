import type { ParsedInputOf } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import type { Context, UserContext } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import { isRevoked, readGrant, signGrant } from '../../../platform/crypto/signed-url.ts'
import { prepareQuery } from '../../../platform/db/prepared-query.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { isUsable } from '../../../platform/http/app-passwords.ts'
import { findHolder } from '../../../platform/http/members.ts'
import type { BytesResponse } from '../../../platform/http/send-bytes.ts'
import {
  fileResponse,
  getOwnFileByName,
  getOwnListedFile,
  getOwnPlace,
  getReadableItem,
  isAtOrBelow,
  selectGranted,
  zipFolder,
} from '../../items/index.ts'
import { getThumbnailOf } from '../../previews/index.ts'
import { asVersion } from '../../versions/index.ts'
import { findSelection, zipSelection } from './download-selection.ts'

export const fetchFile = endpoint(calls.fetchFile, fileByName)
export const getUserFile = endpoint(calls.getUserFile, fileByName)

async function fileByName(
  ctx: UserContext,
  { filename, folderId, isEncrypted }: ParsedInputOf<typeof calls.fetchFile>,
): Promise<BytesResponse> {
  if (folderId) await getOwnPlace(ctx.db, ctx.user, folderId, 'drive')
  return fileResponse(await getOwnFileByName(ctx.db, ctx.user, { filename, folderId, isEncrypted }), 'inline')
}

export const getDownloadUrl = endpoint(calls.getDownloadUrl, async (ctx, { id, versionId }) => {
  const item = await getReadableItem(ctx.db, ctx.user, id)
  if (versionId !== undefined) await asVersion(ctx.db, item, versionId)
  const subject = { id: versionId ?? item.id, owner: ctx.user.id, member: ctx.user.member?.id }
  const { query } = signGrant(ctx.secrets.urlKey, 'download', subject, ctx.clock.now())
  if (versionId !== undefined) query.set('version', versionId)
  return { url: `${ctx.config.publicUrl}/api/download-item/${item.id}?${query}` }
})

/**
 * Returns the bytes for a signed URL: a file, a version of it, or a folder or selection as a ZIP. The item must still be its
 * owner's and visible.
 */
export const downloadItem = endpoint(calls.downloadItem, async (ctx, { signature, version, ...granted }) => {
  const { id, owner, member } = granted
  const grant = { id: version ?? id, owner, member, expires: Number(granted.expires) }
  const signedAt = readGrant(ctx.secrets.urlKey, 'download', grant, signature, ctx.clock.now())
  if (signedAt === undefined) throw expired()
  if (member !== undefined) return downloadShared(ctx, { id, owner, member, version, signedAt })
  const [found] = (await findGranted(ctx.db, { id, owner })).rows
  if (found) {
    const { grants_revoked_at, sha256, ...item } = found
    if (isRevoked(signedAt, grants_revoked_at)) throw expired()
    return { ...(await bytesOf(ctx, item, version, sha256)), isStillAllowed: () => isUsable(ctx.db, owner) }
  }
  const selection = await findSelection(ctx, id, owner)
  if (!selection) throw notFound('item')
  if (isRevoked(signedAt, selection.grants_revoked_at)) throw expired()
  return { ...zipSelection(ctx, selection, { ownerId: owner }), isStillAllowed: () => isUsable(ctx.db, owner) }
})

const findGranted = prepareQuery(selectGranted)

async function bytesOf(
  ctx: Context,
  item: ItemRow,
  version: string | undefined,
  sha256: string | null,
): Promise<BytesResponse> {
  if (version !== undefined) return fileResponse(await asVersion(ctx.db, item, version), 'attachment')
  return item.kind === 'file' ? { ...fileResponse(item, 'attachment'), sha256 } : zipFolder(ctx, item)
}

interface SharedDownload {
  id: string
  owner: string
  member: string
  version: string | undefined
  signedAt: number
}

/** Returns the bytes for a URL that was signed for a member of a shared folder, as long as the member may read them there. */
async function downloadShared(ctx: Context, shared: SharedDownload): Promise<BytesResponse> {
  const { id, owner, version } = shared
  const granted = { id, owner }
  const { folder_id: folderId, user_id } = await getHolder(ctx, shared)
  const findItem = (itemFolderId: string) =>
    selectGranted(ctx.db, (name) => granted[name])
      .where(isAtOrBelow(itemFolderId))
      .executeTakeFirst()
  const found = await findItem(folderId)
  if (found) {
    const { grants_revoked_at: _, sha256, ...item } = found
    const isStillThere = async () => (await findItem((await getHolder(ctx, shared)).folder_id)) !== undefined
    return { ...(await bytesOf(ctx, item, version, sha256)), isStillAllowed: () => isAllowed(isStillThere) }
  }
  const selection = version === undefined ? await findSelection(ctx, id, user_id) : undefined
  if (!selection) throw notFound('item')
  const zip = zipSelection(ctx, selection, { ownerId: owner, folderId })
  return { ...zip, isStillAllowed: () => isAllowed(async () => (await getHolder(ctx, shared)).folder_id === folderId) }
}

/** Returns the folder and the user of the membership for which a URL was signed. Throws if it no longer works. */
async function getHolder({ db }: Context, { member, signedAt }: SharedDownload) {
  const holder = await findHolder(db, member)
  if (!holder || isRevoked(signedAt, holder.grants_revoked_at)) throw expired()
  return holder
}

/** Returns false if a check fails or refuses, but not if the database does. */
function isAllowed(check: () => Promise<boolean>): Promise<boolean> {
  return check().catch((error: unknown) => !(error instanceof AppError))
}

function expired(): AppError {
  return new AppError('forbidden', 'This download link has expired. Please start the download again.')
}

export const getThumbnail = endpoint(calls.getThumbnail, async (ctx, { id, size, versionId, v }) => {
  const listed = await getOwnListedFile(ctx.db, ctx.user, id)
  const file = versionId === undefined ? listed : await asVersion(ctx.db, listed, versionId)
  const thumbnail = await getThumbnailOf(ctx, file, size, ctx.abortSignal())
  // A URL that names a version, or when the file last changed, can be cached forever.
  return { ...thumbnail, isImmutable: versionId !== undefined || v === new Date(file.updated_at).toISOString() }
})
