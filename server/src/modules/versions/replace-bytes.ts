import { hash } from 'node:crypto'
import { isMacMetadata } from '@alcove/contract/names'
import type { UserContext } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { describeDevice, UNKNOWN_DEVICE } from '../../platform/http/describe-device.ts'
import { orderedId } from '../../platform/ordered-id.ts'
import { assertUnlocked, changeQuota, noteActivity, noteChange } from '../items/index.ts'
import { type BlobDigests, insertBlob, queueBlobRemoval } from '../storage/index.ts'
import { type ItemToReplace, type RestoredVersion, restoredVersionOf } from './file-history.ts'
import { BURST } from './retention.ts'
import { mayBeThinned, thinFile } from './thin-versions.ts'
import { type CurrentBytes, insertVersion, type NewVersion, replaceKeeping, setBytes } from './version-rows.ts'

/** Stored bytes that a file gets. Their blob has no row yet. */
export interface NewBytes {
  blobKey: string
  size: number
  /** Null if they are not computed yet. */
  digests: BlobDigests
  modifiedAt: number
  vaultCheck: string | null
  /** The reservation of their upload, which is released now. */
  reserved: number
  /** Whether the replaced bytes become a version even in a burst, because a person chose to replace them. */
  keepReplaced: boolean
}

/**
 * Gives a file other bytes and keeps the old ones as a version. Id, name, link and favorite mark stay. No version is made of
 * bytes which are the same as the new ones, or which this device had saved less than a minute before, in a burst: an editor may
 * save every second. Nor is one made of an empty file or of macOS's metadata. A device that isn't recognized is never taken for the same. Throws
 * 'over quota', and 'locked' if the file is. The owner's tree must be locked.
 */
export async function replaceBytes(ctx: UserContext, tx: Tx, file: ItemToReplace, next: NewBytes): Promise<ItemRow> {
  const now = ctx.clock.now()
  await assertUnlocked(tx, ctx.user, now, [file.id])
  await noteChange(tx, ctx.user, file.parent_id as string, next.size - file.size)
  const isSame = next.digests.sha256 !== null && next.digests.sha256 === file.sha256
  if (isSame && file.damaged_at === null) return keepBytes(ctx, tx, file, next)
  const { isKept, ...burst } = judge(ctx, file, { isSame, keepReplaced: next.keepReplaced })
  const bytes: CurrentBytes = {
    fileId: file.id,
    blobKey: next.blobKey,
    size: next.size,
    modifiedAt: next.modifiedAt,
    vaultCheck: next.vaultCheck,
    restoredVersion: null,
    ...burst,
    now,
  }
  // The same bytes repair damaged ones.
  if (!isKept) {
    await changeQuota(tx, ctx.user.id, { used: next.size - file.size, reserved: -next.reserved })
    await queueBlobRemoval(ctx, tx, [file.blob_key as string], now)
    await insertBlob(tx, { key: next.blobKey, size: next.size, created_at: now, ...next.digests })
    if (!isSame) noteReplaced(ctx, tx, file)
    return setBytes(tx, bytes)
  }
  // Deletes what became superfluous before the new bytes need its space.
  if (mayBeThinned(file, ctx)) await thinFile(ctx, tx, file)
  await changeQuota(tx, ctx.user.id, { used: next.size, versions: file.size, reserved: -next.reserved })
  noteReplaced(ctx, tx, file)
  return replaceKeeping(tx, { ...bytes, ...versionOf(ctx, file), ...next.digests })
}

/**
 * Gives a file the bytes and the date of another file of its owner, with which it shares them from now on, like `replaceBytes`.
 * Apps save like that: they write a new file and move it over the old one. The bytes belong to a burst only if this device has just
 * stored them: those of an older file become a version when they are replaced, however soon that is.
 */
export async function replaceWithFile(
  ctx: UserContext,
  tx: Tx,
  file: ItemToReplace,
  source: ItemToReplace,
): Promise<ItemRow> {
  const now = ctx.clock.now()
  await assertUnlocked(tx, ctx.user, now, [file.id])
  await noteChange(tx, ctx.user, file.parent_id as string, source.size - file.size)
  const { sha256 } = source
  const isSame = source.blob_key === file.blob_key || (sha256 !== null && sha256 === file.sha256)
  const isSaved = isFresh(ctx, source) && source.replaced_in === recognizeDevice(ctx)
  const { isKept, ...burst } = judge(ctx, file, { isSame, keepReplaced: false })
  if (isKept) {
    if (mayBeThinned(file, ctx)) await thinFile(ctx, tx, file)
    await keepAsVersion(ctx, tx, file)
    await changeQuota(tx, ctx.user.id, { used: source.size, versions: file.size })
  } else {
    await queueBlobRemoval(ctx, tx, [file.blob_key as string], now)
    await changeQuota(tx, ctx.user.id, { used: source.size - file.size })
  }
  if (!isSame) noteReplaced(ctx, tx, file)
  return setBytes(tx, {
    fileId: file.id,
    blobKey: source.blob_key as string,
    size: source.size,
    modifiedAt: source.modified_at as number,
    vaultCheck: source.vault_check,
    restoredVersion: null,
    ...(isSaved ? burst : { replacedAt: null, replacedIn: null }),
    now,
  })
}

function noteReplaced({ user, clock }: UserContext, tx: Tx, file: ItemRow): void {
  noteActivity(tx, user, { action: 'changed', folderId: file.parent_id as string, items: [file], now: clock.now() })
}

/** Decides whether the bytes of a file become a version when others replace them, and whether these belong to a burst. */
function judge(
  ctx: UserContext,
  file: ItemToReplace,
  { isSame, keepReplaced }: { isSame: boolean; keepReplaced: boolean },
): { isKept: boolean; replacedAt: number; replacedIn: string | null } {
  const now = ctx.clock.now()
  const device = keepReplaced ? null : recognizeDevice(ctx)
  const isBurst = isSameBurst(file, device, now)
  // Apps create an empty file, lock it, and then save into it. One that was restored may have a name.
  const isEmpty = file.size === 0 && file.restored_version === null
  const isDropped = isSame || isBurst || isEmpty || isMacMetadata(file.name) || ctx.config.versionRetention === 0
  // A burst lasts a minute from its first replacement, so that hours of editing are not one burst.
  return { isKept: !isDropped, replacedAt: isBurst ? (file.replaced_at as number) : now, replacedIn: device }
}

/**
 * Returns what tells a device from others: its session and its name, because several apps may use one token. It is hashed to 12
 * characters, because many files have one. Null if the device isn't recognized.
 */
export function recognizeDevice({ user, userAgent }: Pick<UserContext, 'user' | 'userAgent'>): string | null {
  const name = describeDevice(userAgent)
  return name === UNKNOWN_DEVICE ? null : hash('sha256', `${user.sessionId} ${name}`, 'base64url').slice(0, 12)
}

/** Returns whether a file is so new that an app may be saving by moving it over another one. */
export function isFresh({ clock }: Pick<UserContext, 'clock'>, { created_at }: Pick<ItemRow, 'created_at'>): boolean {
  const age = clock.now() - created_at
  return age >= 0 && age < BURST
}

function isSameBurst({ replaced_at, replaced_in }: ItemToReplace, device: string | null, now: number): boolean {
  if (replaced_at === null || device === null || replaced_in !== device) return false
  return replaced_at <= now && now - replaced_at < BURST
}

/** Keeps the stored bytes instead of the same ones that have just arrived. */
async function keepBytes(ctx: UserContext, tx: Tx, file: ItemRow, next: NewBytes): Promise<ItemRow> {
  const now = ctx.clock.now()
  await queueBlobRemoval(ctx, tx, [next.blobKey], now)
  await changeQuota(tx, ctx.user.id, { reserved: -next.reserved })
  const { sha1, md5 } = next.digests
  if (md5 !== null) {
    await tx
      .updateTable('blobs')
      .set({ sha1, md5 })
      .where('key', '=', file.blob_key as string)
      .where('md5', 'is', null)
      .execute()
  }
  return tx
    .updateTable('items')
    .set({ modified_at: next.modifiedAt, updated_at: now })
    .where('id', '=', file.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes a version of a file's current bytes, which others replace now. Returns its id. The caller changes the quota. */
export async function keepAsVersion(ctx: UserContext, tx: Tx, file: ItemToReplace): Promise<string> {
  const version = versionOf(ctx, file)
  await insertVersion(tx, version)
  return version.versionId
}

/** Returns the version that a file's current bytes become. A restored version becomes the same one again. */
function versionOf(ctx: UserContext, file: ItemToReplace): NewVersion {
  const restored = restoredVersionOf(file)
  return {
    ...bytesOf(file),
    versionId: restored?.id ?? orderedId(),
    name: restored?.name ?? null,
    createdAt: nextTime(ctx, file),
    authorId: ctx.user.member?.userId ?? ctx.user.id,
    device: describeDevice(ctx.userAgent),
  }
}

/** Puts a restored version back to its place in the history, because another version takes its turn. Returns its id. */
export async function putBack(
  ctx: UserContext,
  tx: Tx,
  file: ItemToReplace,
  version: RestoredVersion,
): Promise<string> {
  const { id, name, createdAt, authorId, device } = version
  const isTaken = await tx
    .selectFrom('versions')
    .select('id')
    .where('item_id', '=', file.id)
    .where('created_at', '=', createdAt)
    .executeTakeFirst()
  const place = isTaken ? nextTime(ctx, file) : createdAt
  await insertVersion(tx, { ...bytesOf(file), versionId: id, name, createdAt: place, authorId, device })
  return id
}

/** Returns now, or the next millisecond after the newest version: several may be made at once, or the clock was set back. */
function nextTime({ clock }: UserContext, { newest_version }: ItemToReplace): number {
  return Math.max(clock.now(), (newest_version ?? 0) + 1)
}

function bytesOf(file: ItemToReplace) {
  return {
    itemId: file.id,
    ownerId: file.owner_id,
    oldKey: file.blob_key as string,
    oldSize: file.size,
    oldDate: file.modified_at as number,
    oldCheck: file.vault_check,
  }
}
