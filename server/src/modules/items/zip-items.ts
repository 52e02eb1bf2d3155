import type { Services } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import type { StreamResponse } from '../../platform/http/send-bytes.ts'
import { streamZip, type ZipEntry } from '../../platform/zip/stream-zip.ts'
import { numberedName } from './names.ts'

/** Streams a folder with everything visible in it as a ZIP, created while it is sent: nothing is copied or buffered. */
export async function zipFolder(services: Services, folder: ItemRow): Promise<StreamResponse> {
  return zipItems(services, folder.name, async function* () {
    yield [folder]
  })
}

/** Streams any items as a ZIP. Items with the same name are numbered. `listRows` yields the items in batches. */
export function zipItems(
  services: Services,
  name: string,
  listRows: () => AsyncIterable<readonly ZippedRow[]>,
  options: { areSiblings?: boolean } = {},
): StreamResponse {
  return {
    kind: 'stream',
    filename: `${name}.zip`,
    mimeType: 'application/zip',
    isLimited: true,
    open: () => streamZip(listZipEntries(services, listRows(), options)),
  }
}

/** What lists of a folder's children read: what a ZIP needs and what WebDAV shows. */
export const zippedColumns = [
  'id',
  'kind',
  'name',
  'sort_key',
  'size',
  'blob_key',
  'trash_id',
  'created_at',
  'updated_at',
  'modified_at',
  'favorite_at',
  'shared_at',
  'changed_in',
  'trashed_at',
  'tree_size',
  'mount_of',
] as const
export type ZippedRow = Pick<ItemRow, (typeof zippedColumns)[number]>

type WaitingFolder = { id: string; path: string }
/** The next number to try for each name. */
type TakenNames = Map<string, number>

/** Rows per query. */
const PAGE = 1000

/**
 * Lists the items with everything visible below them, or for trashed items everything that was trashed with them. A
 * folder always comes before its contents. Mounts are left out. Rows are read as the ZIP needs them, so that a hundred thousand take no more
 * memory than a few; only the folders still to be read are kept, and the names of the items unless they are siblings,
 * whose names already differ. `within` is prepended to each path.
 */
export async function* listZipEntries(
  services: Services,
  items: AsyncIterable<readonly ZippedRow[]>,
  { within = '', areSiblings = false } = {},
): AsyncGenerator<ZipEntry> {
  const taken: TakenNames = new Map()
  for await (const rows of items) {
    for (const row of rows) {
      if (row.mount_of !== null) continue
      const path = within + (areSiblings ? row.name : claimName(taken, row.name))
      yield entryOf(services, row, path)
      if (row.kind === 'folder') yield* listBelow(services, { id: row.id, path }, row.trash_id)
    }
  }
}

async function* listBelow(services: Services, top: WaitingFolder, trashId: string | null): AsyncGenerator<ZipEntry> {
  const waiting = [top]
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    for await (const rows of readChildren(services.db, folder.id, trashId)) {
      for (const row of rows) {
        if (row.mount_of !== null) continue
        const path = `${folder.path}/${row.name}`
        yield entryOf(services, row, path)
        if (row.kind === 'folder') waiting.push({ id: row.id, path })
      }
    }
  }
}

/**
 * Reads the children of a folder that are hidden by the same trashed item, or by none, page by page along the list
 * index.
 */
export async function* readChildren(
  db: Database,
  folderId: string,
  trashId: string | null = null,
): AsyncGenerator<ZippedRow[]> {
  let last: Pick<ItemRow, 'kind' | 'sort_key'> & { id: string } = { kind: '' as ItemRow['kind'], sort_key: '', id: '' }
  for (;;) {
    const after = { folderId, kind: last.kind, sortKey: last.sort_key, id: last.id }
    const { rows } = await (trashId === null ? readPage(db, after) : readTrashedPage(db, { ...after, trashId }))
    yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1) as ZippedRow
  }
}

interface Place {
  folderId: string
  kind: ItemRow['kind']
  sortKey: string
  id: string
}

const pageAfter = (db: Database, value: Value<Place>) =>
  db
    .selectFrom('items')
    .select(zippedColumns)
    .where('parent_id', '=', value('folderId'))
    .where((eb) =>
      eb(eb.refTuple('kind', 'sort_key', 'id'), '>', eb.tuple(value('kind'), value('sortKey'), value('id'))),
    )
    .orderBy('kind')
    .orderBy('sort_key')
    .orderBy('id')
    .limit(PAGE)

const readPage = prepareQuery((db, value: Value<Place>) => pageAfter(db, value).where('trash_id', 'is', null))

const readTrashedPage = prepareQuery((db, value: Value<Place & { trashId: string }>) =>
  pageAfter(db, value).where('trash_id', '=', value('trashId')),
)

function entryOf({ db, blobs }: Services, row: ZippedRow, path: string): ZipEntry {
  return {
    kind: row.kind,
    path,
    modifiedAt: row.modified_at ?? row.updated_at,
    size: row.size,
    readSmall: () => blobs.readSmall(row.blob_key as string),
    open: () => blobs.openStream(row.blob_key as string),
    isGone: async () => {
      const item = await db.selectFrom('items').select('blob_key').where('id', '=', row.id).executeTakeFirst()
      return item?.blob_key !== row.blob_key
    },
  }
}

/**
 * Returns a name that no other item has. Names that differ only in case stay, although Windows and macOS extract one file over
 * the other: elsewhere a ZIP must restore each name exactly.
 */
function claimName(taken: TakenNames, name: string): string {
  let claimed = name
  let number = taken.get(name) ?? 1
  for (; taken.has(claimed); number++) claimed = numberedName(name, number)
  // A thousand equal names don't each start at the first number.
  taken.set(name, number)
  if (claimed !== name) taken.set(claimed, 1)
  return claimed
}
