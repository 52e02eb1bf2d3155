import { calls } from '@alcove/contract/calls'
import { mimeTypeOf } from '@alcove/contract/file-types'
import type { PathStep } from '@alcove/contract/items'
import type { PublicFile, PublicFolder, PublicRequest } from '@alcove/contract/sharing'
import type { FileRequest } from '@alcove/contract/submissions'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { mapPages } from '../../platform/db/read-pages.ts'
import type { ItemRow, PublicLinkRow } from '../../platform/db/tables.ts'
import { formatTime } from '../../platform/format.ts'
import { endpoint } from '../../platform/http/api.ts'
import { PagedResult } from '../../platform/http/paged-result.ts'
import { isNoMount, listFileRows, listFolderRows, measureFolderOnce, type PresentedRow } from '../items/index.ts'
import { readFileTypes } from './link-rows.ts'
import { getInside, mayDownload, mayPreview, openLink, openShown, type Shared } from './open-link.ts'

export const getPublicItem = endpoint(calls.getPublicItem, async (ctx, { token, access }) => {
  const shared = await openLink(ctx, token, access)
  const { link, item } = shared
  if (link.permission === 'upload') {
    return { type: 'request', ...presentRequest(link), ...presentOwner(shared) } satisfies PublicRequest
  }
  if (item.kind === 'folder') return readPublicFolder(ctx.db, shared, item, [])
  return { ...presentPublicFile(item), ...presentLinked(shared) }
})

export const getPublicFolder = endpoint(calls.getPublicFolder, async (ctx, { token, id, access }) => {
  const shared = await openShown(ctx, token, access)
  const { item, path } = await getInside(ctx.db, shared.item, id)
  if (item.kind !== 'folder') throw notFound('item')
  return readPublicFolder(ctx.db, shared, item, path)
})

/** Returns what visitors see of a link that shows something. */
function presentLinked(shared: Shared) {
  const { link } = shared
  return {
    ...presentOwner(shared),
    canDownload: mayDownload(link),
    canPreview: mayPreview(link),
    ...(link.permission === 'view-upload' && { upload: presentRequest(link) }),
  }
}

function presentAny(row: PresentedRow) {
  return {
    id: row.id,
    name: row.name,
    createdAt: formatTime(row.created_at),
    updatedAt: formatTime(row.updated_at),
    isEncrypted: row.area === 'vault',
  }
}

/** Returns what visitors see of the owner: the display name, if set. */
function presentOwner({ owner: { display_name } }: Shared): { sharedBy?: string } {
  return display_name === null ? {} : { sharedBy: display_name }
}

/** Returns what visitors who may send files need to know, and nothing of what is there. */
function presentRequest(link: PublicLinkRow): FileRequest {
  return {
    title: link.title,
    message: link.message,
    visitorName: link.visitor_name,
    maxFileBytes: link.max_file_bytes,
    maxFiles: link.max_files,
    fileTypes: readFileTypes(link),
    expiresAt: link.expires_at === null ? null : formatTime(link.expires_at),
  }
}

/** Returns a file as visitors see it. */
function presentPublicFile(row: PresentedRow): PublicFile {
  return {
    ...presentAny(row),
    type: 'file',
    filename: row.name,
    mimeType: mimeTypeOf(row.name),
    size: row.size,
    modifiedAt: formatTime(row.modified_at as number),
    ...(row.vault_check != null && { vaultCheck: row.vault_check }),
  }
}

function presentPublicFolder(row: PresentedRow): PublicFolder {
  return { ...presentAny(row), type: 'folder' }
}

/** Returns a folder as visitors see it, with its contents in natural order of names. */
async function readPublicFolder(db: Database, shared: Shared, folder: ItemRow, path: PathStep[]) {
  const others = {
    ...presentPublicFolder(folder),
    path,
    contents: await measureFolderOnce(db, folder.owner_id, folder.id),
    ...presentLinked(shared),
  }
  const subFolders = mapPages(listFolderRows(db, folder, isNoMount), (rows) => rows.map(presentPublicFolder))
  const files = mapPages(listFileRows(db, folder), (rows) => rows.map(presentPublicFile))
  return new PagedResult({ subFolders, files }, others)
}
