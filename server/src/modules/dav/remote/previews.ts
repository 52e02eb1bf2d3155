import { THUMBNAIL_SIZES } from '@alcove/contract/thumbnails'
import { AppError } from '../../../errors.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { sendBytes } from '../../../platform/http/send-bytes.ts'
import { getThumbnailOf } from '../../previews/index.ts'
import { DavError } from '../dav-error.ts'
import type { DavRequest } from '../dav-request.ts'
import { encodePath, findReadable } from './find-at.ts'
import { openNumbered } from './find-numbered.ts'

/** The addresses of pictures of files in clients of Nextcloud: by the number of the file, or by its path. */
export const previewRoutes = [
  '/index.php/core/preview',
  '/index.php/core/preview.png',
  '/index.php/apps/files_trashbin/preview',
] as const
export const THUMBNAIL_PREFIX = '/index.php/apps/files/api/v1/thumbnail'

type Asking = Pick<DavRequest, 'ctx' | 'request' | 'reply'>

/** Sends the picture of `fileId`, or of `file`, a path below the root, of about `x` by `y` pixels. */
export async function sendPreview(asking: Asking): Promise<unknown> {
  const { ctx, request } = asking
  const { fileId, file, x, y } = request.query as Record<string, unknown>
  const item =
    typeof file === 'string'
      ? await findReadable(ctx, encodePath(file))
      : (await openNumbered(ctx, String(fileId), 'read')).item
  return send(asking, item, Math.max(Number(x) || 0, Number(y) || 0))
}

/** Sends the picture of the file whose path follows its size: `…/thumbnail/256/256/Photos/a.jpg`. */
export async function sendThumbnail(asking: Asking): Promise<unknown> {
  const { ctx, request } = asking
  const url = request.raw.url ?? ''
  const [, x, y, path] = /^\/(\d+)\/(\d+)(\/.*)$/.exec(url.slice(THUMBNAIL_PREFIX.length)) ?? []
  if (path === undefined) throw new DavError(404, 'There is no such file.')
  return send(asking, await findReadable(ctx, path), Math.max(Number(x), Number(y)))
}

async function send({ ctx, request, reply }: Asking, item: ItemRow, pixels: number): Promise<unknown> {
  const size = THUMBNAIL_SIZES.find((one) => one >= pixels) ?? 1280
  // Requests of clients name the entity tag of the file, so a picture can be kept.
  reply.header('cache-control', 'private, max-age=86400')
  const thumbnail = await getThumbnailOf(ctx, item, size, ctx.abortSignal()).catch((error: unknown) => {
    // Clients expect this status for a file that has no picture.
    if (error instanceof AppError && error.code === 'no_thumbnail') throw new DavError(404, error.message)
    throw error
  })
  return sendBytes(ctx, request, reply, thumbnail)
}
