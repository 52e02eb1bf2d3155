import { calls } from '@alcove/contract/calls'
import { MEBIBYTE } from '@alcove/contract/limits'
import type { SessionUser, UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import { PagedResult } from '../../platform/http/paged-result.ts'
import {
  columnsOf,
  fileResponse,
  getOwnFolder,
  isInReach,
  listFilePages,
  listFolderPages,
  presentFile,
  readFolder,
} from '../items/index.ts'

export const listVaultFiles = endpoint(calls.listVaultFiles, async ({ db, user }) => {
  return new PagedResult(listFilePages(db, user, { id: user.vaultRootId, area: 'vault' }))
})

export const listVaultFolders = endpoint(calls.listVaultFolders, async ({ db, user }) => {
  return new PagedResult(listFolderPages(db, user, { id: user.vaultRootId, area: 'vault' }))
})

export const getVaultFolder = endpoint(calls.getVaultFolder, async ({ db, user }, { folderId }) => {
  const folder = await getOwnFolder(db, user, folderId)
  if (folder.area !== 'vault') throw notFound('folder')
  return readFolder(db, user, folder)
})

/** Returns the ciphertext of a file by name. */
export const downloadVaultFile = endpoint(calls.downloadVaultFile, async ({ db, user }, { filename, folderId }) => {
  const found = await listNamesakes(db, user, filename, folderId)
  // A folder contains at most one match, because names are unique within a folder.
  const file = found.find((item) => item.parent_id === user.vaultRootId) ?? found[0]
  if (!file) throw notFound('file')
  if (found.length > 1 && file.parent_id !== user.vaultRootId) {
    throw new AppError(
      'state_conflict',
      `More than one vault folder contains a file named "${file.name}". Specify its folderId.`,
    )
  }
  return fileResponse(file, 'attachment')
})

/** Finds the visible files with a name in a folder of the vault, or in the whole vault. */
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
    .where(isInReach(user))
    .where('area', '=', 'vault')
    .where('trash_id', 'is', null)
    .where('name', '=', filename)
    .where('kind', '=', 'file')
  return (folderId === undefined ? named : named.where('parent_id', '=', folderId)).execute()
}

/** How many of the newest and of the oldest files are returned: a client derives a key for each of them. */
const AT_EACH_END = 4
/** A file without a check value has to be decrypted as a whole to try a passphrase, so only small ones are returned. */
const SMALL = 4 * MEBIBYTE

/** Returns files on which a client can try a passphrase before it encrypts anything with it. */
export const sampleVault = endpoint(calls.sampleVault, async (ctx) => {
  const [newest, oldest] = await Promise.all([
    checkedFiles(ctx).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(AT_EACH_END).execute(),
    checkedFiles(ctx).orderBy('created_at').orderBy('id').limit(AT_EACH_END).execute(),
  ])
  const known = new Set(newest.map(({ id }) => id))
  const checked = [...newest, ...oldest.filter(({ id }) => !known.has(id)).reverse()]
  const files = checked.length > 0 ? checked : await vaultFiles(ctx).where('size', '<=', SMALL).limit(1).execute()
  return { files: files.map((row) => presentFile(row, ctx.user)) }
})

function checkedFiles(ctx: UserContext) {
  return vaultFiles(ctx).where('vault_check', 'is not', null)
}

/** Selects the user's visible files in the vault. */
function vaultFiles({ db, user }: UserContext) {
  return db
    .selectFrom('items')
    .select(columnsOf('vault'))
    .where('owner_id', '=', user.id)
    .where(isInReach(user))
    .where('area', '=', 'vault')
    .where('kind', '=', 'file')
    .where('trash_id', 'is', null)
}
