import { calls } from '@alcove/contract/calls'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { isRevoked, readGrant, signGrant } from '../../../platform/crypto/signed-url.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { Area, UserRow } from '../../../platform/db/tables.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { securityEvent } from '../../../platform/security-log.ts'
import { streamZip, type ZipEntry } from '../../../platform/zip/stream-zip.ts'
import { listZipEntries, readFolderPaths, splitExtension, type ZippedRow, zippedColumns } from '../../items/index.ts'
import { writeAccountDetails } from './account-details.ts'

export const getDataUrl = endpoint(
  calls.getDataUrl,
  securityEvent('data_exported', async ({ user, clock, config, secrets }, { history }) => {
    const { query } = signGrant(secrets.urlKey, 'account', { id: user.id, owner: user.id }, clock.now())
    // Not signed: whoever has the URL may download both.
    if (history) query.set('history', 'true')
    return { url: `${config.publicUrl}/api/account/data?${query}` }
  }),
)

/** Streams everything stored about a user as a ZIP. */
export const downloadData = endpoint(calls.downloadData, async (ctx, { owner, expires, signature, history }) => {
  const grant = { id: owner, owner, expires: Number(expires) }
  const signedAt = readGrant(ctx.secrets.urlKey, 'account', grant, signature, ctx.clock.now())
  const user =
    signedAt !== undefined &&
    (await ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', owner)
      .where('deleted_at', 'is', null)
      .where('suspended_at', 'is', null)
      .executeTakeFirst())
  if (!user || isRevoked(signedAt, user.grants_revoked_at))
    throw new AppError('forbidden', 'This download link has expired. Please start the download again.')
  return {
    kind: 'stream',
    filename: `Alcove ${new Date(ctx.clock.now()).toISOString().slice(0, 10)}.zip`,
    mimeType: 'application/zip',
    isLimited: true,
    open: () => streamZip(listDataEntries(ctx, user, history ?? false)),
  }
})

/** Trashed items and versions per page. */
const PAGE = 1000

const README = `This archive contains everything that Alcove stores for your account.

README.txt     this file
account.json   your account details: plan, sessions, passkeys, app passwords, payments, public links, favorites and playlists
Drive/         your files and folders
Trash/         the files and folders in your trash
Vault/         the files and folders in your vault
Vault Trash/   the files and folders of your vault that are in the trash
Versions/      earlier versions of your files, if you chose to include them, named by the time at which they were replaced (UTC)

Vault files are included as they are stored. Your browser encrypted them with a passphrase that Alcove does not know.
Each file consists of a 16-byte salt, a 12-byte initialisation vector and the content encrypted with AES-256-GCM. The key
is derived from your passphrase and the salt by PBKDF2 with SHA-256 and 100,000 iterations.

Passwords, codes and keys are not included. Alcove stores most of them only as hashes.
`

/** Yields the entries of the ZIP with a user's data, read while it is sent. */
async function* listDataEntries(services: Services, user: UserRow, history: boolean): AsyncGenerator<ZipEntry> {
  const modifiedAt = services.clock.now()
  const own = { kind: 'file', modifiedAt, isGone: async () => false } as const
  const readme = Buffer.from(README)
  yield { ...own, path: 'README.txt', size: readme.length, open: () => pieces([readme]) }
  yield { ...own, path: 'account.json', size: undefined, open: () => writeAccountDetails(services, user) }
  yield* listZipEntries(services, listRoot(services, user.drive_root_id, 'Drive'))
  yield* listZipEntries(services, listTrashed(services, user, 'drive'), { within: 'Trash/' })
  yield* listZipEntries(services, listRoot(services, user.vault_root_id, 'Vault'))
  yield* listZipEntries(services, listTrashed(services, user, 'vault'), { within: 'Vault Trash/' })
  if (history) yield* listVersionEntries(services, user)
}

async function* pieces(all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all
}

/** Returns a root folder under its name in the ZIP. */
async function* listRoot({ db }: Services, id: string, name: string): AsyncGenerator<ZippedRow[]> {
  const rows = await db.selectFrom('items').select(zippedColumns).where('id', '=', id).execute()
  yield rows.map((row) => ({ ...row, name }))
}

/**
 * Yields the items that were trashed on their own. It reads the ids first, because many items can have the same time of
 * trashing.
 */
async function* listTrashed({ db }: Services, user: UserRow, area: Area): AsyncGenerator<ZippedRow[]> {
  const trashed = await db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', user.id)
    .where('trashed_at', 'is not', null)
    .where('area', '=', area)
    .execute()
  for (let start = 0; start < trashed.length; start += PAGE) {
    const ids = trashed.slice(start, start + PAGE).map(({ id }) => id)
    yield await db
      .selectFrom('items')
      .select(zippedColumns)
      .where(isAmong(db, 'id', ids))
      // An item that is restored during the export may be sent twice or missed, like an item that moves while its
      // folder is sent.
      .where('trashed_at', 'is not', null)
      .orderBy('sort_key')
      .execute()
  }
}

/** Yields the versions of all files, one folder for each file. */
async function* listVersionEntries({ db, blobs }: Services, user: UserRow): AsyncGenerator<ZipEntry> {
  for (let last = { created_at: 0, id: '' }; ; ) {
    const { created_at, id } = last
    const rows = await db
      .selectFrom('versions')
      .innerJoin('items', 'items.id', 'versions.item_id')
      .select(['versions.id', 'versions.blob_key', 'versions.size', 'versions.modified_at', 'versions.created_at'])
      .select(['items.id as file_id', 'items.name', 'items.area', 'items.parent_id', 'items.trash_id'])
      .where('versions.owner_id', '=', user.id)
      .where((eb) => eb(eb.refTuple('versions.created_at', 'versions.id'), '>', eb.tuple(created_at, id)))
      .orderBy('versions.created_at')
      .orderBy('versions.id')
      .limit(PAGE)
      .execute()
    const paths = await readFolderPaths(db, [...new Set(rows.map((row) => row.parent_id as string))])
    for (const row of rows) {
      const area = `${row.area === 'vault' ? 'Vault' : 'Drive'}${row.trash_id === null ? '' : ' Trash'}`
      // Files in the trash can have the same path as others.
      const folder = `${paths.get(row.parent_id as string) ?? ''}/${row.name}${row.trash_id === null ? '' : ` ${row.file_id}`}`
      const time = new Date(row.created_at).toISOString().replaceAll(':', '.')
      yield {
        kind: 'file',
        path: `Versions/${area}${folder}/${time}${splitExtension(row.name)[1]}`,
        modifiedAt: row.modified_at,
        size: row.size,
        readSmall: () => blobs.readSmall(row.blob_key),
        open: () => blobs.openStream(row.blob_key),
        isGone: async () => !(await db.selectFrom('versions').select('id').where('id', '=', row.id).executeTakeFirst()),
      }
    }
    const end = rows.at(-1)
    if (rows.length < PAGE || !end) return
    last = end
  }
}
