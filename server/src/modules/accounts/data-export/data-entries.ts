import type { Services } from '../../../context.ts'
import type { Area, UserRow } from '../../../platform/db/tables.ts'
import { isAmong } from '../../../platform/db/text-list.ts'
import type { ZipEntry } from '../../../platform/zip/stream-zip.ts'
import { listZipEntries, type ZippedRow, zippedColumns } from '../../items/index.ts'
import { writeAccountDetails } from './account-details.ts'

/** So many of the trashed items are read at once. */
const PAGE = 1000

const README = `This is everything that Alcove keeps for your account.

README.txt     this text
account.json   the account itself: its plan, sessions, passkeys, payments, public links and favorites
Drive/         your files and folders
Trash/         what lies in the trash
Vault/         the files of your vault
Vault Trash/   files of your vault that lie in the trash

The files of the vault are as they are stored: encrypted in your browser, with a passphrase that Alcove does not know.
Each is a salt of 16 bytes, an initialisation vector of 12 bytes, and the content encrypted by AES-256-GCM. The key comes
from your passphrase and the salt by PBKDF2 with SHA-256 in 100,000 rounds.

Passwords, codes and keys are not in here. Of most of them Alcove knows a hash alone.
`

/** What the ZIP of a user's data has in it, read as it is sent. */
export async function* listDataEntries(services: Services, user: UserRow): AsyncGenerator<ZipEntry> {
  const updatedAt = services.clock.now()
  const own = { kind: 'file', updatedAt, isGone: async () => false } as const
  const readme = Buffer.from(README)
  yield { ...own, path: 'README.txt', size: readme.length, open: () => pieces([readme]) }
  yield { ...own, path: 'account.json', size: undefined, open: () => writeAccountDetails(services, user) }
  yield* listZipEntries(services, listRoot(services, user.drive_root_id, 'Drive'))
  yield* listZipEntries(services, listTrashed(services, user, 'drive'), { within: 'Trash/' })
  yield* listZipEntries(services, listRoot(services, user.vault_root_id, 'Vault'))
  yield* listZipEntries(services, listTrashed(services, user, 'vault'), { within: 'Vault Trash/' })
}

async function* pieces(all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all
}

/** A root folder under the name that it has here. */
async function* listRoot({ db }: Services, id: string, name: string): AsyncGenerator<ZippedRow[]> {
  const rows = await db.selectFrom('items').select(zippedColumns).where('id', '=', id).execute()
  yield rows.map((row) => ({ ...row, name }))
}

/** The items that were trashed by themselves. Their ids first: many may have been trashed at the same time. */
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
      // Restored meanwhile, it has been sent, or is missed: as is what is restored while a folder is on its way.
      .where('trashed_at', 'is not', null)
      .orderBy('sort_key')
      .execute()
  }
}
