import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../../../context.ts'
import { nothingHere } from '../../../errors.ts'
import { readSetting } from '../settings.ts'
import { appearanceSetting } from './appearance.ts'
import { ICON_PATH, LOGO_PATH } from './brand-paths.ts'

const kinds = { [LOGO_PATH]: 'logo', [ICON_PATH]: 'icon' } as const
type Kind = (typeof kinds)[keyof typeof kinds]

interface Image {
  readonly hash: string
  readonly bytes: Buffer
}

/** Serves the operator's logo to everybody. It was drawn by the server, so its bytes are only those of a picture. */
export function brandImages(app: FastifyInstance, services: Services): void {
  const kept = new Map<Kind, Image>()
  for (const [path, kind] of Object.entries(kinds)) {
    app.get<{ Querystring: { v?: string } }>(path, async (request, reply) => {
      const image = await readImage(services, kind, kept)
      if (!image) throw nothingHere()
      return send(image, request.query.v, reply)
    })
  }
}

/** Returns an image, from memory if it is the one that was read last. */
async function readImage(services: Services, kind: Kind, kept: Map<Kind, Image>): Promise<Image | undefined> {
  const { logo } = await readSetting(services, appearanceSetting)
  if (!logo) return undefined
  const last = kept.get(kind)
  if (last?.hash === logo.hash) return last
  const row = await services.db.selectFrom('site_images').selectAll().where('kind', '=', kind).executeTakeFirst()
  if (!row) return undefined
  const image = { hash: row.hash, bytes: Buffer.from(row.base64, 'base64') }
  kept.set(kind, image)
  return image
}

function send({ hash, bytes }: Image, version: string | undefined, reply: FastifyReply): FastifyReply {
  return (
    reply
      .type('image/png')
      .header('cache-control', version === hash ? 'public, max-age=31536000, immutable' : 'no-cache')
      // Mail programs in browsers show it too.
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(bytes)
  )
}
