import type { UserContext } from '../../context.ts'
import { MAX_COLLECTED } from '../../platform/blobs/blob-store.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { insertItem, insertItemKeepingBoth, nameTaken, type Place, takingSpace } from '../items/index.ts'
import { type BlobDigests, insertBlob, measureBlob } from '../storage/index.ts'
import { digestToCompare, findItemToReplace, recognizeDevice, replaceBytes } from '../versions/index.ts'
import { findExisting } from './describe-conflict.ts'
import { type Destination, ensureFolders, noteAdded, type Opened, openDestination } from './destination.ts'
import { takeLinkSpace } from './visitors/link-limits.ts'
import { queueScan } from './visitors/scan-received.ts'

/** Complete bytes that will become a file. */
export interface Arrival {
  filename: string
  size: number
  blobKey: string
  /** The digests of a file that was sent in one piece. Null if they are computed later. */
  digests: BlobDigests
  destination: Destination
  /** The reservation of the upload, which is released now. */
  reserved: number
  /** The upload, if it was opened before its bytes arrived. */
  uploadId?: string | undefined
  /** Checks the file that has the name, before it is replaced. Throws to refuse. */
  assertMayReplace?: ((existing: ItemRow | undefined) => void) | undefined
}

/** Creates a file from bytes on stable storage. The user's tree must be locked. */
export async function commitFile(ctx: UserContext, tx: Tx, arrival: Arrival): Promise<ItemRow> {
  if (arrival.destination.onConflict === 'replace') return commitReplacement(ctx, tx, arrival)
  return insertFile(ctx, tx, arrival, await openParent(ctx, tx, arrival.destination))
}

/** Inserts a file and takes its space. */
function insertFile(ctx: UserContext, tx: Tx, arrival: Arrival, { parent, notedIn }: Opened): Promise<ItemRow> {
  const { filename, size, reserved, blobKey, digests, destination } = arrival
  return takingSpace(tx, ctx, { used: size, reserved: -reserved }, async () => {
    await takeLinkSpace(ctx, tx, arrival, { isComplete: true })
    const now = ctx.clock.now()
    arrival.assertMayReplace?.(undefined)
    await insertBlob(tx, { key: blobKey, size, created_at: now, ...digests })
    const vault_check = checkOf(parent, destination)
    const modified_at = destination.lastModified ?? null
    const draft = { kind: 'file', name: filename, size, blob_key: blobKey, vault_check, modified_at } as const
    const insert = destination.onConflict === 'keepBoth' ? insertItemKeepingBoth : insertItem
    // Apps save by moving a new file over the old one.
    const replaced_in = ctx.user.appPassword ? recognizeDevice(ctx) : null
    const item = await insert(tx, ctx.user, parent, { ...draft, replaced_in }, now)
    noteAdded(ctx, tx, notedIn, item)
    await queueScan(ctx, tx, item)
    return item
  })
}

/**
 * Replaces the bytes of the file with the same name and keeps the old ones as a version. Without such a file it creates one.
 */
async function commitReplacement(ctx: UserContext, tx: Tx, arrival: Arrival): Promise<ItemRow> {
  const opened = await openParent(ctx, tx, arrival.destination)
  const { parent } = opened
  const old = await findItemToReplace(tx, parent.id, arrival.filename)
  if (old?.kind === 'folder') throw nameTaken(arrival.filename)
  if (!old) return insertFile(ctx, tx, arrival, opened)
  arrival.assertMayReplace?.(old)
  const { size, blobKey, digests, reserved } = arrival
  const vaultCheck = checkOf(parent, arrival.destination)
  return replaceBytes(ctx, tx, old, {
    blobKey,
    size,
    digests,
    modifiedAt: arrival.destination.lastModified ?? ctx.clock.now(),
    vaultCheck,
    reserved,
    keepReplaced: arrival.destination.keepReplaced ?? false,
  })
}

/**
 * Returns the digest of stored bytes if it must be known before the transaction: of small files, which are quickly read, and of
 * those that will replace a file and may have the same bytes. Otherwise returns null.
 */
export async function digestArrival(
  ctx: UserContext,
  { destination, filename, size, blobKey }: Pick<Arrival, 'destination' | 'filename' | 'size' | 'blobKey'>,
): Promise<string | null> {
  if (size <= MAX_COLLECTED) return (await measureBlob(ctx.blobs, blobKey)).sha256
  if (destination.onConflict !== 'replace') return null
  const old = await findExisting(ctx, ctx.db, destination, filename)
  return old?.kind === 'file' ? digestToCompare(ctx, old, { blobKey, size }) : null
}

async function openParent(ctx: UserContext, tx: Tx, destination: Destination): Promise<Opened> {
  return ensureFolders(ctx, tx, await openDestination(tx, ctx.user, destination), destination.folders)
}

/** Only encrypted files have a check value. */
function checkOf(parent: Place, { vaultCheck }: Destination): string | null {
  return parent.area === 'vault' ? (vaultCheck ?? null) : null
}
