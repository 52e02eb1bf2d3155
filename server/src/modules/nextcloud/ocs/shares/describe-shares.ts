import { mimeTypeOf } from '@alcove/contract/file-types'
import { thumbnailKindOf } from '@alcove/contract/thumbnails'
import type { UserContext } from '../../../../context.ts'
import { readFileNumbers, readFolderPaths } from '../../../items/index.ts'
import type { LinkedItem } from '../../../sharing/index.ts'
import type { OcsValue } from '../write-xml.ts'

/** The type of a share that is a public link. */
export const PUBLIC_LINK = '3'
/** Nextcloud's bit for reading. */
const READING = 1
/** Clients see from this that there is a password. */
const HIDDEN_PASSWORD = '***'

/** Describes public links as shares of Nextcloud. The id of a share is the number of its item, because an item has one link. */
export async function describeShares(
  { config, db, user }: UserContext,
  items: readonly LinkedItem[],
): Promise<Record<string, OcsValue>[]> {
  if (items.length === 0) return []
  const folders = [...new Set(items.map((item) => item.parent_id as string))]
  const ids = new Set([...items.map(({ id }) => id), ...folders])
  const [paths, numbers, { display_name }] = await Promise.all([
    readFolderPaths(db, folders, user.driveRootId),
    readFileNumbers(db, [...ids]),
    db.selectFrom('users').select('display_name').where('id', '=', user.id).executeTakeFirstOrThrow(),
  ])
  const owner = { id: user.email, name: display_name ?? user.email }
  return items.map((item) => {
    const path = `${paths.get(item.parent_id as string) ?? ''}/${item.name}`
    const number = numbers.get(item.id) ?? 0
    const isFile = item.kind === 'file'
    const password = item.password_hash === null ? null : HIDDEN_PASSWORD
    return {
      id: String(number),
      share_type: Number(PUBLIC_LINK),
      ...{ uid_owner: owner.id, displayname_owner: owner.name },
      ...{ uid_file_owner: owner.id, displayname_file_owner: owner.name },
      ...{ permissions: READING, can_edit: true, can_delete: true },
      stime: Math.floor((item.enabled_at ?? 0) / 1000),
      parent: null,
      expiration: item.expires_at === null ? null : `${new Date(item.expires_at).toISOString().slice(0, 10)} 00:00:00`,
      token: item.token,
      url: `${config.publicUrl}/s/${item.token}`,
      ...{ share_with: password, share_with_displayname: password === null ? null : '(Shared link)', password },
      ...{ send_password_by_talk: false, note: '', label: '', hide_download: 0, mail_send: 0, attributes: null },
      ...{ path, file_target: path },
      item_type: item.kind,
      mimetype: isFile ? mimeTypeOf(item.name) : 'httpd/unix-directory',
      has_preview: isFile && item.size > 0 && thumbnailKindOf(item.name, true) !== undefined,
      ...{ item_source: number, file_source: number, file_parent: numbers.get(item.parent_id as string) ?? 0 },
      ...{ item_size: item.size, item_mtime: Math.floor((item.modified_at ?? item.updated_at) / 1000) },
      ...{ storage: 1, storage_id: 'alcove' },
    }
  })
}
