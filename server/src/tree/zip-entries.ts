import type { Services } from '../context.ts'
import type { Database } from '../platform/db/database.ts'
import { prepareQuery, type Value } from '../platform/db/prepared-query.ts'
import type { ItemRow } from '../platform/db/tables.ts'
import type { ZipEntry } from '../platform/zip/stream-zip.ts'
import { nameKey, numberedName } from './names.ts'

export const zippedColumns = ['id', 'kind', 'name', 'sort_key', 'size', 'blob_key', 'updated_at'] as const
export type ZippedRow = Pick<ItemRow, (typeof zippedColumns)[number]>

type WaitingFolder = { id: string; path: string }

/** So many rows are read at once. */
const PAGE = 1000

/**
 * The items with all that is visible below them, a folder always before what is in it. They are read as the ZIP needs
 * them, so that a hundred thousand take no more memory than a few; only folders that wait for their turn are kept.
 */
export async function* listZipEntries(
  services: Services,
  items: AsyncIterable<readonly ZippedRow[]>,
): AsyncGenerator<ZipEntry> {
  const taken = new Set<string>()
  for await (const rows of items) {
    for (const row of rows) {
      const path = claimName(taken, row.name)
      yield entryOf(services, row, path)
      if (row.kind === 'folder') yield* listBelow(services, { id: row.id, path })
    }
  }
}

async function* listBelow(services: Services, top: WaitingFolder): AsyncGenerator<ZipEntry> {
  const waiting = [top]
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    for await (const row of listChildren(services.db, folder.id)) {
      const path = `${folder.path}/${row.name}`
      yield entryOf(services, row, path)
      if (row.kind === 'folder') waiting.push({ id: row.id, path })
    }
  }
}

/** What lies in a folder, page by page along the index of lists. */
async function* listChildren(db: Database, folderId: string): AsyncGenerator<ZippedRow> {
  let last: Pick<ItemRow, 'kind' | 'sort_key'> & { id: string } = { kind: '' as ItemRow['kind'], sort_key: '', id: '' }
  for (;;) {
    const { rows } = await readPage(db, { folderId, kind: last.kind, sortKey: last.sort_key, id: last.id })
    yield* rows
    if (rows.length < PAGE) return
    last = rows.at(-1) as ZippedRow
  }
}

const readPage = prepareQuery(
  (db, value: Value<{ folderId: string; kind: ItemRow['kind']; sortKey: string; id: string }>) =>
    db
      .selectFrom('items')
      .select(zippedColumns)
      .where('parent_id', '=', value('folderId'))
      .where('trash_id', 'is', null)
      .where((eb) =>
        eb(eb.refTuple('kind', 'sort_key', 'id'), '>', eb.tuple(value('kind'), value('sortKey'), value('id'))),
      )
      .orderBy('kind')
      .orderBy('sort_key')
      .orderBy('id')
      .limit(PAGE),
)

function entryOf({ db, blobs }: Services, row: ZippedRow, path: string): ZipEntry {
  return {
    kind: row.kind,
    path,
    updatedAt: row.updated_at,
    size: row.size,
    open: () => blobs.openStream(row.blob_key as string),
    isGone: async () => {
      const item = await db.selectFrom('items').select('blob_key').where('id', '=', row.id).executeTakeFirst()
      return item?.blob_key !== row.blob_key
    },
  }
}

/** A name that none of the others has, not even in another case: not every disk tells `a` and `A` apart. */
function claimName(taken: Set<string>, name: string): string {
  let claimed = name
  for (let number = 1; taken.has(nameKey(claimed)); number++) claimed = numberedName(name, number)
  taken.add(nameKey(claimed))
  return claimed
}
