import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../../../context.ts'
import { nothingHere } from '../../../errors.ts'

/** The addresses of the operator's logo, and of the icon drawn from it. With a version, browsers keep them. */
export const LOGO_PATH = '/brand/logo.png'
export const ICON_PATH = '/brand/icon.png'

const kinds = { [LOGO_PATH]: 'logo', [ICON_PATH]: 'icon' } as const
export type BrandImage = (typeof kinds)[keyof typeof kinds]

/** Serves the operator's logo to everybody. It was drawn by the server, so its bytes are only those of a picture. */
export function brandImages(app: FastifyInstance, services: Services): void {
  for (const [path, kind] of Object.entries(kinds)) {
    app.get<{ Querystring: { v?: string } }>(path, (request, reply) => send(services, kind, request.query.v, reply))
  }
}

async function send(
  { db }: Services,
  kind: BrandImage,
  version: string | undefined,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const image = await db.selectFrom('site_images').selectAll().where('kind', '=', kind).executeTakeFirst()
  if (!image) throw nothingHere()
  const isKept = version === image.hash
  return (
    reply
      .type('image/png')
      .header('cache-control', isKept ? 'public, max-age=31536000, immutable' : 'no-cache')
      // Mail programs in browsers show it too.
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(Buffer.from(image.base64, 'base64'))
  )
}
