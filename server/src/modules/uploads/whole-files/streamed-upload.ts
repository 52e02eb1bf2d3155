import { randomUUID } from 'node:crypto'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { createBlobKey } from '../../../platform/blobs/blob-store.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { lockMembership } from '../../../platform/http/members.ts'
import { changeQuota, lockTree, transactAndAnnounce } from '../../items/index.ts'
import { reclaimingSpace } from '../../versions/index.ts'
import { assertFewOpen } from '../chunks/claim-chunk.ts'
import { type Arrival, commitFile } from '../commit-file.ts'
import type { Destination } from '../destination.ts'
import { lockOpenUpload } from '../own-upload.ts'
import { discardUpload } from '../unfinished-uploads.ts'
import { assertDestination } from './assert-may-store.ts'

const MEBIBYTE = 1024 * 1024
/** The space that is reserved at a time if the size is unknown: as much as has arrived, within these limits. */
const MIN_STEP = 4 * MEBIBYTE
const MAX_STEP = 64 * MEBIBYTE

/** How long the upload of a crashed server keeps its reservation, and how often a running upload renews it. */
const TTL = 3_600_000
const RENEW_EVERY = 600_000

interface StreamedFile {
  filename: string
  destination: Destination
  /** Undefined if it is unknown until the last byte has arrived. */
  size: number | undefined
}

/**
 * An upload that lasts as long as one request. Its row holds the reservation of space and protects the bytes from the sweep. If
 * the server crashes, `sweepUploads` removes both after an hour.
 */
export class StreamedUpload {
  readonly blobKey = createBlobKey()
  readonly #id = randomUUID()
  readonly #ctx: UserContext
  readonly #file: StreamedFile
  #reserved = 0
  #renewedAt: number

  private constructor(ctx: UserContext, file: StreamedFile) {
    this.#ctx = ctx
    this.#file = file
    this.#renewedAt = ctx.clock.now()
  }

  /** Checks the destination and reserves the announced size. Old versions give way if too little is free. */
  static async open(ctx: UserContext, file: StreamedFile): Promise<StreamedUpload> {
    if (file.size !== undefined) await ctx.blobs.assertFits(file.size)
    const upload = new StreamedUpload(ctx, file)
    await reclaimingSpace(ctx, () => upload.#insert())
    return upload
  }

  async #insert(): Promise<void> {
    const { user, db } = this.#ctx
    const { filename, destination, size } = this.#file
    await db.transaction().execute(async (tx) => {
      // Before the upload, so that it is found by who ends the membership.
      if (user.member) await lockMembership(tx, user.member)
      const place = await assertDestination(this.#ctx, tx, destination, filename)
      await assertFewOpen(tx, user)
      await tx
        .insertInto('uploads')
        .values({
          id: this.#id,
          owner_id: user.id,
          filename,
          total_chunks: 1,
          total_size: size ?? null,
          chunk_size: null,
          received_bytes: 0,
          reserved_bytes: size ?? 0,
          area: place.area,
          folder_id: destination.folderId ?? null,
          folders: JSON.stringify(destination.folders),
          on_conflict: destination.onConflict,
          blob_key: this.blobKey,
          vault_check: null,
          item_id: null,
          completed_at: null,
          expires_at: this.#renewedAt + TTL,
          member_id: user.member?.id ?? null,
        })
        .execute()
      if (size !== undefined) await changeQuota(tx, user.id, { reserved: size })
    })
    this.#reserved = size ?? 0
  }

  /** Called before bytes are stored, with their total so far. Reserves their space if their size was not announced. */
  async admit(total: number): Promise<void> {
    if (total > this.#reserved) await this.#reserveMore(total - this.#reserved)
    else if (this.#ctx.clock.now() - this.#renewedAt >= RENEW_EVERY) await this.#reserve(0)
  }

  /** Reserves more than is needed now, if that is free. Old versions give way only to what is needed. */
  async #reserveMore(needed: number): Promise<void> {
    const wanted = Math.max(needed, Math.min(Math.max(this.#reserved, MIN_STEP), MAX_STEP))
    try {
      await this.#reserve(wanted)
    } catch (error) {
      const missing = error instanceof AppError ? error.details.missingBytes : undefined
      if (missing === undefined) throw error
      await reclaimingSpace(this.#ctx, () => this.#reserve(Math.max(needed, wanted - missing)))
    }
  }

  async #reserve(bytes: number): Promise<void> {
    const { db, user, clock } = this.#ctx
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      await lockOpenUpload(tx, user, this.#id)
      await tx
        .updateTable('uploads')
        .set((eb) => ({ reserved_bytes: eb('reserved_bytes', '+', bytes), expires_at: now + TTL }))
        .where('id', '=', this.#id)
        .execute()
      if (bytes > 0) await changeQuota(tx, user.id, { reserved: bytes })
    })
    this.#reserved += bytes
    this.#renewedAt = now
  }

  /** Creates or replaces the file with bytes on stable storage. */
  commit(stored: Pick<Arrival, 'size' | 'digests' | 'assertMayReplace'>): Promise<ItemRow> {
    const { user } = this.#ctx
    const { filename, destination } = this.#file
    return transactAndAnnounce(this.#ctx, async (tx) => {
      const { blob_key, reserved_bytes } = await lockOpenUpload(tx, user, this.#id)
      await lockTree(tx, user.id)
      const arrival = { ...stored, filename, destination, blobKey: blob_key, reserved: reserved_bytes }
      const item = await commitFile(this.#ctx, tx, arrival)
      await tx.deleteFrom('uploads').where('id', '=', this.#id).execute()
      return item
    })
  }

  /** Releases the space and the bytes at once. Does nothing if the file was committed after all. */
  async discard(): Promise<void> {
    const { db, user, log } = this.#ctx
    try {
      await db
        .transaction()
        .execute(async (tx) => discardUpload(this.#ctx, tx, await lockOpenUpload(tx, user, this.#id)))
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return
      log.warn({ err: error }, 'an interrupted upload will be discarded when it expires')
    }
  }
}
