import { calls } from '@alcove/contract/calls'
import type { OnConflict } from '@alcove/contract/uploads'
import type { SessionUser, UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { Area, ItemRow, UploadRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import {
  addFolder,
  assertDepthBelow,
  assertMayAddTo,
  changeTree,
  getOwnPlace,
  nameKey,
  nameTaken,
  type Place,
} from '../items/index.ts'

/** Where an upload goes and how it lands there. */
export interface Destination {
  folderId: string | undefined
  /** Names of the folders below `folderId`, created where they are missing. */
  folders: string[]
  area: Area
  /** Whether it was said to be for the vault; undefined where it goes wherever its folder is. */
  isEncrypted?: boolean | undefined
  onConflict: OnConflict
  /** Of a file that goes to the vault. */
  vaultCheck?: string | undefined
}

export interface DestinationInput {
  folderId?: string | undefined
  parentFolderId?: string | undefined
  relativePath?: string[] | undefined
  folderPath?: string[] | undefined
  isEncrypted?: boolean | undefined
  onConflict?: OnConflict | undefined
  vaultCheck?: string | undefined
}

/** Reads where an upload goes; what is not said is taken from `before`, what was said when it began. */
export function readDestination(input: DestinationInput, before?: Destination): Destination {
  const area = input.isEncrypted === undefined ? (before?.area ?? 'drive') : input.isEncrypted ? 'vault' : 'drive'
  return {
    folderId: input.parentFolderId ?? input.folderId ?? before?.folderId,
    // The relative path ends with the file's own name, the folder path does not.
    folders: input.relativePath?.slice(0, -1) ?? input.folderPath ?? before?.folders ?? [],
    area,
    isEncrypted: input.isEncrypted ?? before?.isEncrypted,
    onConflict: input.onConflict ?? before?.onConflict ?? 'keepBoth',
    vaultCheck: input.vaultCheck ?? before?.vaultCheck,
  }
}

export function destinationOf(upload: UploadRow): Destination {
  return {
    folderId: upload.folder_id ?? undefined,
    folders: JSON.parse(upload.folders) as string[],
    area: upload.area,
    onConflict: upload.on_conflict,
    vaultCheck: upload.vault_check ?? undefined,
  }
}

/** The folder an upload goes to; refuses one that is not there, is of the other area, or takes another plan. */
export async function openDestination(db: Database, user: SessionUser, destination: Destination): Promise<Place> {
  const place = await getOwnPlace(db, user, destination.folderId, destination.area)
  // Bytes that are said to be plain must not lie among encrypted ones, nor the other way round.
  const isApart = destination.area === 'vault' ? place.area !== 'vault' : place.area === 'vault'
  if (isApart && (destination.area === 'vault' || destination.isEncrypted === false)) throw inOtherArea()
  assertMayAddTo(place.area, user)
  return place
}

function inOtherArea(): AppError {
  return new AppError(
    'state_conflict',
    'Your files and the vault are separate: choose a folder of the vault for encrypted files, and another one for all others.',
  )
}

/** Creates the folders of an upload that no file brings along: the empty ones. All of them or none. */
export const createFolderPaths = endpoint(
  calls.createFolderPaths,
  async (ctx, { parentFolderId, folderPaths, isEncrypted }) => {
    const area = isEncrypted ? 'vault' : 'drive'
    const destination: Destination = { folderId: parentFolderId, folders: [], area, isEncrypted, onConflict: 'fail' }
    const count = await changeTree(ctx, async (tx) => {
      const root = await openDestination(tx, ctx.user, destination)
      await assertDepthBelow(tx, root.id, Math.max(...folderPaths.map((path) => path.length)))
      // What several paths have in common is looked for, or created, once.
      const known = new Map<string, Place>()
      let created = 0
      for (const path of folderPaths) {
        let parent: Place = root
        for (const name of path) {
          const key = `${parent.id}/${nameKey(name)}`
          parent = known.get(key) ?? (await ensureFolder(parent, name))
          known.set(key, parent)
        }
      }
      return created

      async function ensureFolder(parent: Place, name: string): Promise<Place> {
        const sibling = await findSibling(tx, parent, name)
        if (sibling?.kind === 'file') throw nameTaken(name)
        if (sibling) return sibling
        created += 1
        return addFolder(ctx, tx, parent, name)
      }
    })
    return { message: 'Folders created.', count }
  },
)

/** Walks down the named folders, creating those that are missing. */
export async function ensureFolders(ctx: UserContext, tx: Tx, place: Place, names: readonly string[]): Promise<Place> {
  let parent: Place = place
  for (const [level, name] of names.entries()) {
    const sibling = await findSibling(tx, parent, name)
    if (sibling?.kind === 'file') throw nameTaken(name)
    if (!sibling) await assertDepthBelow(tx, parent.id, names.length - level)
    parent = sibling ?? (await addFolder(ctx, tx, parent, name))
  }
  return parent
}

/** What has a name in a folder. */
export async function findSibling(db: Database, parent: Place, name: string): Promise<ItemRow | undefined> {
  return (await findByKey(db, { parentId: parent.id, key: nameKey(name) })).rows[0]
}

const findByKey = prepareQuery((db, value: Value<{ parentId: string; key: string }>) =>
  db
    .selectFrom('items')
    .selectAll()
    .where('parent_id', '=', value('parentId'))
    .where('name_key', '=', value('key'))
    .where('trashed_at', 'is', null),
)
