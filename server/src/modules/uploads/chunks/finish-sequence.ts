import type { SessionUser, UserContext } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import { assertIntact, type Checksums } from '../../../platform/crypto/checksums.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow, UploadRow } from '../../../platform/db/tables.ts'
import { lockTree, transactAndAnnounce } from '../../items/index.ts'
import { type BlobDigests, onlySha256, queueBlobRemoval } from '../../storage/index.ts'
import { prepareComparison } from '../../versions/index.ts'
import { commitFile, digestArrival } from '../commit-file.ts'
import { findExisting } from '../describe-conflict.ts'
import { readName, readTarget, type StreamTarget } from '../whole-files/assert-may-store.ts'
import { storingBlob } from '../whole-files/storing-blob.ts'
import { arriving, idOf, lockSequence, readChunks, SEQUENCE_TTL } from './sequence-rows.ts'

interface Finish {
  size: number | undefined
  modifiedAt: number | undefined
  checksums: Checksums
  /** Checks the file that is about to be replaced, in the transaction that commits and with the tree locked. */
  assertMayReplace: (existing: ItemRow | undefined) => void
}

interface Finished {
  item: ItemRow
  isNew: boolean
}

/**
 * Returns the file of an upload that was finished at the same place before, with the bytes that it got then: the response may have
 * been lost, and the client repeats its request. What has happened to the file since stays, and the client learns it later, as if the
 * response had arrived. Returns undefined if the upload isn't finished. Throws 'not found' if it was finished elsewhere.
 */
export async function findFinishedSequence(
  { db, user }: Pick<UserContext, 'db' | 'user'>,
  name: string,
  target: StreamTarget,
): Promise<Finished | undefined> {
  const id = idOf(user, name)
  const upload = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
  return upload && upload.completed_at !== null ? openFinished(db, user, upload, target) : undefined
}

async function openFinished(
  db: Database,
  user: SessionUser,
  { item_id, folder_id, filename, blob_key }: UploadRow,
  target: StreamTarget,
): Promise<Finished> {
  const item = await db
    .selectFrom('items')
    .selectAll()
    .where('id', '=', item_id)
    .where('owner_id', '=', user.id)
    .executeTakeFirst()
  if (!item || folder_id !== target.folderId || filename !== readName(target)) throw notFound('upload')
  return { item: { ...item, blob_key }, isNew: false }
}

/** Makes a file of the chunks. Its bytes are read once more only if the client wants them compared with a checksum. */
export function finishSequence(
  ctx: UserContext,
  name: string,
  target: StreamTarget,
  finish: Finish,
): Promise<Finished> {
  return arriving.take(idOf(ctx.user, name), async () => {
    try {
      return await commitSequence(ctx, name, target, finish)
    } catch (error) {
      // Another request has finished it meanwhile, here or at another server.
      const finished = await findFinishedSequence(ctx, name, target)
      if (finished) return finished
      throw error
    }
  })
}

async function commitSequence(ctx: UserContext, name: string, target: StreamTarget, finish: Finish): Promise<Finished> {
  const id = idOf(ctx.user, name)
  const upload = await ctx.db.transaction().execute((tx) => lockSequence(tx, ctx.user, id))
  const size = assertComplete(upload, finish.size)
  const chunks = await readChunks(ctx.db, id)
  if (chunks.some(({ is_parked }) => is_parked === 1)) {
    throw new AppError('state_conflict', 'A chunk of this upload is missing. Send it again.')
  }
  const sizes = chunks.map((chunk) => chunk.size)
  if (sizes.length > 0) {
    await ctx.blobs.seal(upload.blob_key, sizes)
    return commitBlob(ctx, { upload, sizes, size, blobKey: upload.blob_key }, target, finish)
  }
  // The blob of the upload stays as it is, because chunks can still arrive if the file can't be made now.
  return storingBlob(ctx, async (blobKey, onCommit) => {
    await ctx.blobs.writeWhole(blobKey, new Uint8Array())
    onCommit()
    return commitBlob(ctx, { upload, sizes, size, blobKey }, target, finish)
  })
}

/** The chunks of an upload, and the sealed blob that has their bytes. */
interface Sealed {
  upload: UploadRow
  sizes: readonly number[]
  size: number
  blobKey: string
}

async function commitBlob(
  ctx: UserContext,
  { upload, sizes, size, blobKey }: Sealed,
  target: StreamTarget,
  { modifiedAt, checksums, assertMayReplace }: Finish,
): Promise<Finished> {
  const { id } = upload
  const filename = readName(target)
  const destination = { ...readTarget(ctx.user, target), lastModified: modifiedAt }
  const arrived = { destination, filename, size, blobKey }
  const digests = await digest(ctx, arrived, checksums)
  const existing = await findExisting(ctx, ctx.db, destination, filename)
  if (existing?.kind === 'file') await prepareComparison(ctx, existing, size)
  let isNew = false
  const item = await transactAndAnnounce(ctx, async (tx) => {
    const open = await lockSequence(tx, ctx.user, id)
    assertComplete(open, size)
    // At another server, the upload may have begun again, or got or lost chunks.
    const now = await readChunks(tx, id)
    const isSame = open.blob_key === upload.blob_key && now.map((chunk) => chunk.size).join() === sizes.join()
    if (!isSame) throw new AppError('state_conflict', 'The upload has changed meanwhile.')
    await lockTree(tx, ctx.user.id)
    const committed = await commitFile(ctx, tx, {
      ...{ ...arrived, digests, reserved: open.reserved_bytes },
      assertMayReplace: (before) => {
        assertMayReplace(before)
        isNew = before === undefined
      },
    })
    const { clock } = ctx
    if (blobKey !== upload.blob_key) await queueBlobRemoval(ctx, tx, [upload.blob_key], clock.now())
    await tx
      .updateTable('uploads')
      .set({
        ...{ completed_at: clock.now(), expires_at: clock.now() + SEQUENCE_TTL, reserved_bytes: 0 },
        ...{ item_id: committed.id, folder_id: target.folderId, filename },
        // The bytes that were there if the same ones arrived again.
        blob_key: committed.blob_key as string,
      })
      .where('id', '=', id)
      .execute()
    await tx.deleteFrom('upload_chunks').where('upload_id', '=', id).execute()
    return committed
  })
  return { item, isNew }
}

function assertComplete({ total_size, received_bytes }: UploadRow, announced: number | undefined): number {
  const expected = announced ?? total_size ?? received_bytes
  if (received_bytes === expected) return received_bytes
  throw new AppError('size_mismatch', `${received_bytes} bytes have arrived, but ${expected} were announced.`)
}

/** Returns the digests of stored bytes. All of them are computed if one must be compared. Throws if it differs. */
async function digest(
  ctx: UserContext,
  arrived: Parameters<typeof digestArrival>[1],
  checksums: Checksums,
): Promise<BlobDigests> {
  if (Object.keys(checksums).length === 0) return onlySha256(await digestArrival(ctx, arrived))
  const hash = ctx.streamHasher.open()
  try {
    for await (const buffer of ctx.blobs.openStream(arrived.blobKey) as AsyncIterable<Buffer>) await hash.update(buffer)
    const digests = await hash.digest()
    assertIntact(checksums, digests)
    return digests
  } finally {
    hash.drop()
  }
}
