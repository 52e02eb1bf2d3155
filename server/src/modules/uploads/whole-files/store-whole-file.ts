import { UPLOAD_TTL } from '@alcove/contract/limits'
import type { OnConflict, UploadedFile } from '@alcove/contract/uploads'
import type { UserContext } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import { prepareAhead, type Value } from '../../../platform/db/prepared-query.ts'
import type { Area, ItemRow } from '../../../platform/db/tables.ts'
import { changeTree } from '../../items/index.ts'
import { onlySha256 } from '../../storage/index.ts'
import { reclaimingSpace } from '../../versions/index.ts'
import { commitFile, digestArrival } from '../commit-file.ts'
import { describeConflict } from '../describe-conflict.ts'
import { type DestinationInput, readDestination } from '../destination.ts'
import { isBeingReceived, isWithoutLimits, letNextAssertNew, presentUploadedFile, UploadKnown } from '../own-upload.ts'
import { storingBlob } from './storing-blob.ts'

/** A file sent in one piece: its upload, name and destination. */
export interface WholeFile extends DestinationInput {
  uploadId: string
  filename: string
}

/** The written bytes. The digest of a large file is computed later, because it would delay the response. */
export interface StoredBytes {
  size: number
  sha256: string | null
}

/**
 * Writes the bytes of a whole file under a new key and creates the file in one transaction. `write` resolves when they
 * are on stable storage. A caller that hasn't looked for the upload says so (`isNew: false`): if it is known, `UploadKnown` is thrown
 * and nothing is stored.
 */
export async function storeWholeFile(
  ctx: UserContext,
  early: WholeFile,
  write: (blobKey: string) => Promise<{ file: WholeFile; stored: StoredBytes }>,
  { isNew } = { isNew: true },
): Promise<UploadedFile> {
  try {
    return await storingBlob(ctx, async (blobKey, onCommit) => {
      const { file, stored } = await write(blobKey)
      const { size } = stored
      const destination = readDestination(ctx.user, file)
      const sha256 =
        stored.sha256 ?? (await digestArrival(ctx, { destination, filename: file.filename, size, blobKey }))
      onCommit()
      return reclaimingSpace(ctx, (thinnedBytes) =>
        commit(ctx, file, { blobKey, size, sha256 }, { thinnedBytes, isNew }).catch(describeRepeated),
      ).catch(async (error: unknown) => {
        if (error instanceof UploadKnown) await ctx.blobs.remove(blobKey)
        throw error
      })
    })
  } catch (error) {
    throw await describeConflict(ctx, error, readDestination(ctx.user, early), early.filename)
  }
}

/** The same upload was sent twice at once, and the other one counts. */
function describeRepeated(error: unknown): never {
  throw isUniqueViolation(error) ? isBeingReceived() : error
}

async function commit(
  ctx: UserContext,
  file: WholeFile,
  { blobKey, size, sha256 }: StoredBytes & { blobKey: string },
  { thinnedBytes, isNew }: { thinnedBytes: number; isNew: boolean },
): Promise<UploadedFile> {
  const destination = readDestination(ctx.user, file)
  const mayRunAgain = isWithoutLimits(ctx.user) && destination.onConflict !== 'replace'
  const item = await changeTree(ctx, commitAndRecord, { mayRunAgain })
  return presentUploadedFile(item, ctx.user, {
    ...{ id: file.uploadId, filename: file.filename, thinned_bytes: thinnedBytes },
  })

  async function commitAndRecord(tx: Tx): Promise<ItemRow> {
    // Before anything else: a file that is sent again is neither a conflict nor beyond a limit.
    if (!isNew) await letNextAssertNew(tx, file.uploadId)
    const committed = await commitFile(ctx, tx, {
      filename: file.filename,
      size,
      blobKey,
      digests: onlySha256(sha256),
      destination,
      reserved: 0,
    })
    const now = ctx.clock.now()
    await recordUpload(tx, {
      id: file.uploadId,
      ownerId: ctx.user.id,
      filename: file.filename,
      size,
      area: committed.area,
      folderId: destination.folderId ?? ctx.user.appPassword?.folderId ?? null,
      folders: JSON.stringify(destination.folders),
      onConflict: destination.onConflict,
      // The bytes that were there if the same ones arrived again.
      blobKey: committed.blob_key as string,
      thinnedBytes,
      itemId: committed.id,
      now,
      expiresAt: now + UPLOAD_TTL,
      submissionId: ctx.user.submission?.id ?? null,
      linkId: ctx.user.submission?.linkId ?? null,
      memberId: ctx.user.member?.id ?? null,
    })
    return committed
  }
}

interface CompletedUpload {
  id: string
  ownerId: string
  filename: string
  size: number
  area: Area
  folderId: string | null
  folders: string
  onConflict: OnConflict
  blobKey: string
  thinnedBytes: number
  itemId: string
  now: number
  expiresAt: number
  submissionId: string | null
  linkId: string | null
  memberId: string | null
}

/** Records the upload, so that a repeated request returns the same file. Fails if it is recorded already. */
const recordUpload = prepareAhead((db, value: Value<CompletedUpload>) =>
  db.insertInto('uploads').values({
    id: value('id'),
    owner_id: value('ownerId'),
    filename: value('filename'),
    total_chunks: 1,
    total_size: value('size'),
    chunk_size: null,
    received_bytes: value('size'),
    reserved_bytes: 0,
    area: value('area'),
    folder_id: value('folderId'),
    folders: value('folders'),
    on_conflict: value('onConflict'),
    blob_key: value('blobKey'),
    thinned_bytes: value('thinnedBytes'),
    item_id: value('itemId'),
    completed_at: value('now'),
    expires_at: value('expiresAt'),
    submission_id: value('submissionId'),
    link_id: value('linkId'),
    member_id: value('memberId'),
  }),
)
