import { getPublicItem, getPublicThumbnail } from '@alcove/contract/sharing'
import { thumbnailKindOf } from '@alcove/contract/thumbnails'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { escapeHtml } from '../../platform/format.ts'
import type { PageDescription } from '../../platform/http/web-pages.ts'
import { describeSize } from '../items/index.ts'
import { findShared, type SharedRow } from './open-link.ts'

/** The width of the picture in link previews: one of the thumbnail sizes. */
const PICTURE_WIDTH = 1280

/**
 * Describes the page of a public link: 404 if nothing is shared, else title and picture for link previews
 * (https://ogp.me). Reveals nothing of locked or encrypted items. Returns undefined for all other pages.
 */
export async function describeSharePage(
  services: Services,
  path: string,
  ip: string,
): Promise<PageDescription | undefined> {
  const token = /^\/s\/([^/]+)\/?$/.exec(path)?.[1]
  if (token === undefined) return undefined
  await services.rateLimits.admitRequest(getPublicItem, ip)
  try {
    const shared = await findShared(services, token)
    const isOpen = shared.password_hash === null && shared.area === 'drive'
    return { status: 200, head: isOpen ? writeHead(services, shared) : '' }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { status: 404, head: '' }
    throw error
  }
}

function writeHead({ config, thumbnails }: Services, shared: SharedRow): string {
  const description = shared.kind === 'folder' ? 'A shared folder' : `A shared file, ${describeSize(shared.size)}`
  const hasPicture = shared.kind === 'file' && thumbnailKindOf(shared.name, thumbnails.canDrawVideos) !== undefined
  const api = `${config.publicUrl}/api${getPublicThumbnail.path.replace('{token}', shared.token)}`
  const picture = `${api}?size=${PICTURE_WIDTH}`
  const properties = {
    'og:site_name': 'Alcove',
    'og:type': 'website',
    'og:title': shared.name,
    'og:description': description,
    'og:url': `${config.publicUrl}/s/${shared.token}`,
    ...(hasPicture && { 'og:image': picture, 'twitter:card': 'summary_large_image' }),
  }
  const tags = Object.entries(properties).map(
    ([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`,
  )
  return tags.join('')
}
