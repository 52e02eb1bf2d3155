import { MEBIBYTE } from '@alcove/contract/limits'
import type { sampleVault as sampleVaultCall } from '@alcove/contract/vault'
import type { UserContext } from '../../context.ts'
import type { Operation } from '../../platform/http/api.ts'
import { columnsOf, presentFile } from '../items/index.ts'

/** How many of the newest and of the oldest files are returned: a client derives a key for each of them. */
const AT_EACH_END = 4
/** A file without a check value has to be decrypted as a whole to try a passphrase, so only small ones are returned. */
const SMALL = 4 * MEBIBYTE

/** Returns files on which a client can try a passphrase before it encrypts anything with it. */
export const sampleVault: Operation<typeof sampleVaultCall> = async (ctx) => {
  const [newest, oldest] = await Promise.all([
    checkedFiles(ctx).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(AT_EACH_END).execute(),
    checkedFiles(ctx).orderBy('created_at').orderBy('id').limit(AT_EACH_END).execute(),
  ])
  const known = new Set(newest.map(({ id }) => id))
  const checked = [...newest, ...oldest.filter(({ id }) => !known.has(id)).reverse()]
  const files = checked.length > 0 ? checked : await vaultFiles(ctx).where('size', '<=', SMALL).limit(1).execute()
  return { files: files.map((row) => presentFile(row, ctx.user)) }
}

function checkedFiles(ctx: UserContext) {
  return vaultFiles(ctx).where('vault_check', 'is not', null)
}

/** The user's files in the vault that are not in the trash, by themselves or with a folder. */
function vaultFiles({ db, user }: UserContext) {
  return db
    .selectFrom('items')
    .select(columnsOf('vault'))
    .where('owner_id', '=', user.id)
    .where('area', '=', 'vault')
    .where('kind', '=', 'file')
    .where('trash_id', 'is', null)
}
