import type { downloadVaultFile as call } from '@alcove/contract/vault'
import type { SessionUser } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { Operation } from '../../platform/http/api.ts'
import { fileResponse, nameKey } from '../items/index.ts'

/** The ciphertext of the file of a name. */
export const downloadVaultFile: Operation<typeof call> = async ({ db, user }, { filename, folderId }) => {
  const found = await listNamesakes(db, user, filename, folderId)
  // At the root there is at most one: names of siblings differ.
  const file = found.find((item) => item.parent_id === user.vaultRootId) ?? found[0]
  if (!file) throw notFound('file')
  if (found.length > 1 && file.parent_id !== user.vaultRootId) {
    throw new AppError(
      'state_conflict',
      `More than one folder of the vault has a file named "${file.name}": say which.`,
    )
  }
  return fileResponse(file, 'attachment')
}

/** The visible files of a name in a folder of the vault, or anywhere in it. */
function listNamesakes(
  db: Database,
  user: SessionUser,
  filename: string,
  folderId: string | undefined,
): Promise<ItemRow[]> {
  const named = db
    .selectFrom('items')
    .selectAll()
    .where('owner_id', '=', user.id)
    .where('area', '=', 'vault')
    .where('trash_id', 'is', null)
    .where('name_key', '=', nameKey(filename))
    .where('kind', '=', 'file')
  return (folderId === undefined ? named : named.where('parent_id', '=', folderId)).execute()
}
