import { crc32 } from 'node:zlib'
import { MINUTE } from '@alcove/contract/rate-limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { identifyReader } from '../identify-reader.ts'
import { drawAvatar } from './draw-avatar.ts'

/** Drawing takes up to 15 ms. Clients request their picture once, and keep it. */
const DRAWINGS = { points: 60, seconds: MINUTE }
/** The sides of a picture in pixels. */
const SMALLEST = 16
const LARGEST = 256

interface Requested {
  user: string
  /** `128`, or `128.png`. */
  size: string
}

/** The pictures that stand for users in clients: apps request the first address, the desktop clients the second one. */
export function avatarRoutes(app: FastifyInstance, services: Services): void {
  for (const path of ['/index.php/avatar/:user/:size', '/remote.php/dav/avatars/:user/:size']) {
    app.get<{ Params: Requested }>(path, (request, reply) => sendAvatar(services, request, reply))
  }
}

async function sendAvatar(
  services: Services,
  request: FastifyRequest<{ Params: Requested }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id, email } = await identifyReader(services, request)
  const { params, headers } = request
  if (params.user.toLowerCase() !== email) throw new AppError('not_found', 'This user has no picture.')
  await services.rateLimits.consumeFrom('avatars', DRAWINGS, request.ip)
  const { display_name } = await services.db
    .selectFrom('users')
    .select('display_name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const size = Math.min(LARGEST, Math.max(SMALLEST, Number.parseInt(params.size, 10) || SMALLEST))
  const picture = drawAvatar(display_name ?? email, email, size)
  const etag = `"${crc32(picture).toString(16)}"`
  reply.headers({ 'cache-control': 'private, max-age=3600', etag })
  if (headers['if-none-match'] === etag) return reply.status(304).send()
  return reply.type('image/png').send(picture)
}
