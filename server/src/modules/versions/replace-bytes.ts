import { randomUUIDv7 } from 'node:crypto'
import type { UserContext } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { describeDevice, UNKNOWN_DEVICE } from '../../platform/http/describe-device.ts'
import { changeQuota } from '../items/index.ts'
import { queueBlobRemoval } from '../storage/index.ts'
import { type ItemToReplace, type RestoredVersion, restoredVersionOf } from './file-history.ts'
import { BURST } from './retention.ts'
import { mayBeThinned, thinFile } from './thin-versions.ts'

/** Bytes that a file gets. Their blob has a row. */
export interface NewBytes {
  blobKey: string
  size: number
  /** Null if it is not computed yet. */
  sha256: string | null
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
 * save every second. A device that isn't recognized is never taken for the same. Throws 'over quota'. The owner's tree must be
 * locked.
 */
export async function replaceBytes(ctx: UserContext, tx: Tx, file: ItemToReplace, next: NewBytes): Promise<ItemRow> {
  const now = ctx.clock.now()
  const isSame = next.sha256 !== null && next.sha256 === file.sha256
  if (isSame && file.damaged_at === null) return keepBytes(ctx, tx, file, next)
  const device = next.keepReplaced ? null : recognizeDevice(ctx)
  const isBurst = isSameBurst(file, device, now)
  // The same bytes repair damaged ones.
  if (isSame || isBurst || ctx.config.versionRetention === 0) {
    await queueBlobRemoval(ctx, tx, [file.blob_key as string], now)
    await changeQuota(tx, ctx.user.id, { used: next.size - file.size, reserved: -next.reserved })
  } else {
    await keepAsVersion(ctx, tx, file)
    // Deletes what became superfluous before the new bytes need its space.
    if (mayBeThinned(file, ctx)) await thinFile(ctx, tx, file)
    await changeQuota(tx, ctx.user.id, { used: next.size, versions: file.size, reserved: -next.reserved })
  }
  return setBytes(tx, file.id, {
    blobKey: next.blobKey,
    size: next.size,
    modifiedAt: next.modifiedAt,
    vaultCheck: next.vaultCheck,
    restoredVersion: null,
    // A burst lasts a minute from its first replacement, so that hours of editing are not one burst.
    replacedAt: isBurst ? file.replaced_at : now,
    replacedIn: device,
    now,
  })
}

/** Returns what tells a device from others: its session, in which several apps may use one token. Null if it isn't recognized. */
function recognizeDevice({ user, userAgent }: UserContext): string | null {
  const name = describeDevice(userAgent)
  return name === UNKNOWN_DEVICE ? null : `${user.sessionId} ${name}`
}

function isSameBurst({ replaced_at, replaced_in }: ItemToReplace, device: string | null, now: number): boolean {
  if (replaced_at === null || device === null || replaced_in !== device) return false
  return replaced_at <= now && now - replaced_at < BURST
}

/** The bytes that a file has from now on, and how it got them. */
interface CurrentBytes {
  blobKey: string
  size: number
  modifiedAt: number
  vaultCheck: string | null
  restoredVersion: string | null
  replacedAt: number | null
  replacedIn: string | null
  now: number
}

/** Sets the bytes of a file, whose music or video metadata must be read again. */
export async function setBytes(tx: Tx, fileId: string, bytes: CurrentBytes): Promise<ItemRow> {
  const { rows } = await updateBytes(tx, { ...bytes, fileId })
  return rows[0] as ItemRow
}

const updateBytes = prepareQuery((db, value: Value<CurrentBytes & { fileId: string }>) =>
  db
    .updateTable('items')
    .set({
      blob_key: value('blobKey'),
      size: value('size'),
      modified_at: value('modifiedAt'),
      vault_check: value('vaultCheck'),
      restored_version: value('restoredVersion'),
      replaced_at: value('replacedAt'),
      replaced_in: value('replacedIn'),
      media_read_at: null,
      updated_at: value('now'),
    })
    .where('id', '=', value('fileId'))
    .returningAll(),
)

/** Keeps the stored bytes instead of the same ones that have just arrived. */
async function keepBytes(ctx: UserContext, tx: Tx, file: ItemRow, next: NewBytes): Promise<ItemRow> {
  const now = ctx.clock.now()
  await queueBlobRemoval(ctx, tx, [next.blobKey], now)
  await changeQuota(tx, ctx.user.id, { reserved: -next.reserved })
  return tx
    .updateTable('items')
    .set({ modified_at: next.modifiedAt, updated_at: now })
    .where('id', '=', file.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes a version of a file's current bytes, which others replace now. Returns its id. The caller changes the quota. */
export async function keepAsVersion(ctx: UserContext, tx: Tx, file: ItemToReplace): Promise<string> {
  const restored = restoredVersionOf(file)
  const id = restored?.id ?? randomUUIDv7()
  await insertVersion(tx, {
    ...bytesOf(file),
    id,
    name: restored?.name ?? null,
    createdAt: nextTime(ctx, file),
    authorId: ctx.user.id,
    device: describeDevice(ctx.userAgent),
  })
  return id
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
  await insertVersion(tx, { ...bytesOf(file), id, name, createdAt: place, authorId, device })
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
    blobKey: file.blob_key as string,
    size: file.size,
    modifiedAt: file.modified_at as number,
    vaultCheck: file.vault_check,
  }
}

interface NewVersion {
  id: string
  itemId: string
  ownerId: string
  blobKey: string
  size: number
  modifiedAt: number
  vaultCheck: string | null
  createdAt: number
  authorId: string
  device: string
  name: string | null
}

const insertVersion = prepareQuery((db, value: Value<NewVersion>) =>
  db.insertInto('versions').values({
    id: value('id'),
    item_id: value('itemId'),
    owner_id: value('ownerId'),
    blob_key: value('blobKey'),
    size: value('size'),
    modified_at: value('modifiedAt'),
    vault_check: value('vaultCheck'),
    created_at: value('createdAt'),
    author_id: value('authorId'),
    device: value('device'),
    name: value('name'),
  }),
)
