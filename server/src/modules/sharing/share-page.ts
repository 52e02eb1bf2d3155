import { getPublicItem, getPublicThumbnail } from '@alcove/contract/sharing'
import { thumbnailKindOf } from '@alcove/contract/thumbnails'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { escapeHtml } from '../../platform/format.ts'
import type { PageDescription } from '../../platform/http/web-pages.ts'
import { describeSize } from '../items/index.ts'
import { readBrand, readMaintenance, TRY_AGAIN_AFTER } from '../site/index.ts'
import { findShared, type Shared } from './open-link.ts'

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
  if ((await readMaintenance(services)) !== undefined) {
    return { status: 503, head: '', retryAfterSeconds: TRY_AGAIN_AFTER }
  }
  await services.rateLimits.admitRequest(getPublicItem, ip)
  try {
    const shared = await findShared(services, token)
    const isOpen = shared.link.password_hash === null && shared.item.area === 'drive'
    return { status: 200, head: isOpen ? writeHead(services, shared, (await readBrand(services)).name) : '' }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { status: 404, head: '' }
    throw error
  }
}

function writeHead({ config, thumbnails }: Services, { link, item }: Shared, siteName: string): string {
  const isRequest = link.permission === 'upload'
  const description = isRequest ? 'Send files here' : describeItem(item)
  const hasPicture =
    !isRequest && item.kind === 'file' && thumbnailKindOf(item.name, thumbnails.canDrawVideos) !== undefined
  const api = `${config.publicUrl}/api${getPublicThumbnail.path.replace('{token}', link.token)}`
  const picture = `${api}?size=${PICTURE_WIDTH}`
  const properties = {
    'og:site_name': siteName,
    'og:type': 'website',
    // The name of a folder that gets files is not for its visitors.
    'og:title': isRequest ? (link.title ?? 'Send files') : item.name,
    'og:description': description,
    'og:url': `${config.publicUrl}/s/${link.token}`,
    ...(hasPicture && { 'og:image': picture, 'twitter:card': 'summary_large_image' }),
  }
  const tags = Object.entries(properties).map(
    ([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`,
  )
  return tags.join('')
}

function describeItem({ kind, size }: ItemRow): string {
  return kind === 'folder' ? 'A shared folder' : `A shared file, ${describeSize(size)}`
}
