import { hash } from 'node:crypto'
import type { ParsedInputOf, ResponseOf } from '@alcove/contract/call'
import type { File } from '@alcove/contract/items'
import { MAX_BYTES_TOGETHER } from '@alcove/contract/limits'
import { uploadFiles as call } from '@alcove/contract/uploads'
import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { UploadRow } from '../../../platform/db/tables.ts'
import type { FormOperation } from '../../../platform/http/api.ts'
import { describeError } from '../../../platform/http/describe-error.ts'
import { collectBytes, reading } from '../chunks/read-stream.ts'
import { findOwnUpload, findOwnUploads } from '../own-upload.ts'
import { presentUploaded } from '../present-uploaded.ts'
import { storeWholeFile } from './store-whole-file.ts'

type SmallFile = ParsedInputOf<typeof call>['files'][number]
type Result = ResponseOf<typeof call>['results'][number]

/**
 * Takes many small files in with one request. Each is an upload like any other, and stored or refused by itself; those
 * that come together share their transactions and syncs. Sent again, what was stored is answered as it is.
 */
export const receiveFiles: FormOperation<typeof call> = async (ctx, form) => {
  const { files } = call.input.parse(form.fields)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > MAX_BYTES_TOGETHER) throw new AppError('too_large', 'Files that are sent together have at most 1 MiB.')
  if (new Set(files.map(({ uploadId }) => uploadId)).size < files.length) {
    throw new AppError('malformed', 'Each file needs an uploadId of its own.')
  }
  const known = await findOwnUploads(
    ctx.db,
    ctx.user,
    files.map(({ uploadId }) => uploadId),
  )
  const bytes = await reading(collectBytes(form.file, total))
  if (bytes.length < total)
    throw new AppError('size_mismatch', `${bytes.length} bytes have arrived, but ${total} were announced.`)
  await form.readRest()

  let start = 0
  const stores = files.map((file) => {
    const content = bytes.subarray(start, start + file.size)
    start += file.size
    const upload = known.get(file.uploadId)
    return upload ? presentStored(ctx, upload) : store(ctx, file, content)
  })
  const outcomes = await Promise.allSettled(stores)
  return {
    status: 200,
    body: { results: outcomes.map((outcome, index) => describe(ctx, files[index] as SmallFile, outcome)) },
  }
}

async function store(ctx: UserContext, file: SmallFile, content: Uint8Array): Promise<File> {
  try {
    return await storeWholeFile(ctx, file, async (blobKey) => {
      const written = ctx.blobs.writeWhole(blobKey, content)
      const sha256 = hash('sha256', content)
      await written
      return { file, stored: { size: content.length, sha256 } }
    })
  } catch (error) {
    // Sent twice at once: then the response of the other is ours too.
    const upload = await findOwnUpload(ctx.db, ctx.user, file.uploadId)
    if (upload && upload.completed_at !== null) return presentStored(ctx, upload)
    throw error
  }
}

/** The file of an upload that was there before. */
async function presentStored({ db, user }: UserContext, upload: UploadRow): Promise<File> {
  if (upload.completed_at !== null) return presentUploaded(db, user, upload)
  throw new AppError('state_conflict', 'This upload has begun in chunks, and goes on that way.')
}

function describe(ctx: UserContext, { uploadId }: SmallFile, outcome: PromiseSettledResult<File>): Result {
  if (outcome.status === 'fulfilled') return { uploadId, status: 201, file: outcome.value }
  const { status, body } = describeError(outcome.reason)
  if (status >= 500) ctx.log.error({ err: outcome.reason }, 'a file that came with others could not be stored')
  return { uploadId, status, refusal: body }
}
