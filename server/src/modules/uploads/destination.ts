import { calls } from '@alcove/contract/calls'
import type { OnConflict } from '@alcove/contract/uploads'
import type { SessionUser, UserContext } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import { itemColumns } from '../../platform/db/columns.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { prepareQuery, type Value } from '../../platform/db/prepared-query.ts'
import type { Area, ItemRow, ItemWithHistory, UploadRow } from '../../platform/db/tables.ts'
import { endpoint } from '../../platform/http/api.ts'
import { assertInScope } from '../../platform/http/app-passwords.ts'
import { assertMayReplace, isStillMember } from '../../platform/http/members.ts'
import {
  addFolder,
  assertDepthBelow,
  assertMayAddTo,
  assertUnlocked,
  changeTree,
  getOwnPlace,
  lookUpOnce,
  mayHaveLocks,
  nameTaken,
  noteActivity,
  type Place,
} from '../items/index.ts'

import { forVisitors } from './visitors/for-visitors.ts'
import { openVisitorFolder } from './visitors/visitor-folders.ts'

/** The destination of an upload, what to do if the name is taken, and what is stored with the file. */
export interface Destination {
  folderId: string | undefined
  /** Names of folders below `folderId`, which are created if missing. */
  folders: string[]
  area: Area
  /** Whether it was declared for the vault. Undefined if it goes wherever its folder is. */
  isEncrypted?: boolean | undefined
  onConflict: OnConflict
  /** The check value of a vault file. */
  vaultCheck?: string | undefined
  /** The file's own modification date. Undefined for the time at which the file is created. */
  lastModified?: number | undefined
  /** Whether the bytes of a replaced file become a version even in a burst of saves. */
  keepReplaced?: boolean | undefined
}

export interface DestinationInput {
  folderId?: string | undefined
  parentFolderId?: string | undefined
  relativePath?: string[] | undefined
  folderPath?: string[] | undefined
  isEncrypted?: boolean | undefined
  onConflict?: OnConflict | undefined
  vaultCheck?: string | undefined
  lastModified?: number | undefined
  keepReplaced?: boolean | undefined
}

/**
 * Reads the destination of an upload. Missing fields are taken from `before`, the destination given when it began. Visitors of a link
 * choose only folders of their own.
 */
export function readDestination(user: SessionUser, input: DestinationInput, before?: Destination): Destination {
  const wanted = readWanted(input, before)
  if (!user.submission) return wanted
  const { folders, lastModified } = wanted
  return { folderId: undefined, folders, area: 'drive', isEncrypted: false, onConflict: 'keepBoth', lastModified }
}

function readWanted(input: DestinationInput, before?: Destination): Destination {
  const area = input.isEncrypted === undefined ? (before?.area ?? 'drive') : input.isEncrypted ? 'vault' : 'drive'
  return {
    folderId: input.parentFolderId ?? input.folderId ?? before?.folderId,
    // The relative path ends with the file name, the folder path doesn't.
    folders: input.relativePath?.slice(0, -1) ?? input.folderPath ?? before?.folders ?? [],
    area,
    isEncrypted: input.isEncrypted ?? before?.isEncrypted,
    onConflict: input.onConflict ?? before?.onConflict ?? 'keepBoth',
    vaultCheck: input.vaultCheck ?? before?.vaultCheck,
    lastModified: input.lastModified ?? before?.lastModified,
    keepReplaced: input.keepReplaced,
  }
}

export function destinationOf(upload: UploadRow): Destination {
  return {
    folderId: upload.folder_id ?? undefined,
    folders: JSON.parse(upload.folders) as string[],
    area: upload.area,
    onConflict: upload.on_conflict,
    vaultCheck: upload.vault_check ?? undefined,
    lastModified: upload.modified_at ?? undefined,
  }
}

/**
 * Opens the destination folder. Throws if it doesn't exist, is in the other area, or requires another plan, and if an app
 * password that may only upload, or a member who may only add, would replace a file.
 */
export async function openDestination(db: Database, user: SessionUser, destination: Destination): Promise<Place> {
  if (destination.onConflict === 'replace') {
    if (user.member) assertMayReplace(user.member)
    else if (user.appPassword) assertInScope(user.appPassword, 'write')
  }
  // The role may have been lowered while the bytes arrived.
  if (user.member && !(await isStillMember(db, user.member))) throw notFound('folder')
  const place = await getOwnPlace(db, user, destination.folderId, destination.area)
  // Plain bytes must not be stored among encrypted ones, nor the other way round.
  const isApart = destination.area === 'vault' ? place.area !== 'vault' : place.area === 'vault'
  if (isApart && (destination.area === 'vault' || destination.isEncrypted === false)) throw inOtherArea()
  assertMayAddTo(place.area, user)
  return place
}

function inOtherArea(): AppError {
  return new AppError(
    'state_conflict',
    'Your files and the vault are separate. Choose a vault folder for encrypted files, and another folder for all other files.',
  )
}

/** Creates the empty folders of a folder upload: all or none. */
export const createFolderPaths = endpoint(
  calls.createFolderPaths,
  forVisitors(async (ctx, { parentFolderId, folderPaths, isEncrypted }) => {
    const { submission } = ctx.user
    const destination = readDestination(ctx.user, {
      parentFolderId,
      isEncrypted: isEncrypted ?? false,
      onConflict: 'fail',
    })
    const count = await changeTree(ctx, async (tx) => {
      const root = await openDestination(tx, ctx.user, destination)
      await assertDepthBelow(tx, root.id, Math.max(...folderPaths.map((path) => path.length)))
      // Common parts of several paths are found or created once.
      const known = new Map<string, ItemRow>()
      let created = 0
      for (const path of folderPaths) {
        const start = { place: root, names: path }
        const { place, names } = submission ? await openVisitorFolder(ctx, tx, submission, start) : start
        let parent: Place = place
        let notedIn = place
        let isInNew = place.id !== root.id
        for (const name of names) {
          const key = `${parent.id}/${name}`
          const folder = known.get(key) ?? (await ensureFolder(parent, name, notedIn))
          known.set(key, folder)
          if (!isInNew) notedIn = folder
          isInNew ||= isNew(ctx, folder)
          parent = folder
        }
      }
      return created

      async function ensureFolder(parent: Place, name: string, notedIn: Place): Promise<ItemRow> {
        const sibling = await findSibling(tx, parent, name)
        if (sibling && !isOwnFolder(sibling)) throw folderBlocked(sibling)
        if (sibling) return sibling
        created += 1
        const folder = await addFolder(ctx, tx, parent, name)
        noteAdded(ctx, tx, notedIn, folder)
        return folder
      }
    })
    return { message: 'Folders created.', count }
  }),
)

/** How long what is added below a new folder counts as added to it, so that an uploaded tree is one entry. In milliseconds. */
const NEW_FOR = 3_600_000

/** The folder that gets a file, and the one in which that is noted: itself, or the topmost new folder around it. */
export interface Opened {
  parent: Place
  notedIn: Place
}

/** Returns the folder at a path, and creates missing folders on the way. */
export async function ensureFolders(ctx: UserContext, tx: Tx, root: Place, path: readonly string[]): Promise<Opened> {
  if (path.length === 0 && !ctx.user.submission) return { parent: root, notedIn: root }
  return lookUpOnce(tx, `path ${root.id} ${JSON.stringify(path)}`, () => createMissing(ctx, tx, root, path))
}

async function createMissing(ctx: UserContext, tx: Tx, root: Place, path: readonly string[]): Promise<Opened> {
  const { submission } = ctx.user
  const start = { place: root, names: path }
  const { place, names } = submission ? await openVisitorFolder(ctx, tx, submission, start) : start
  let parent: Place = place
  let notedIn: Place = place
  let isInNew = place.id !== root.id
  for (const [level, name] of names.entries()) {
    const sibling = await findSibling(tx, parent, name)
    if (sibling && !isOwnFolder(sibling)) throw folderBlocked(sibling)
    if (!sibling) await assertDepthBelow(tx, parent.id, names.length - level)
    const folder = sibling ?? (await addFolder(ctx, tx, parent, name))
    if (!sibling && !isInNew) noteAdded(ctx, tx, parent, folder)
    if (!isInNew) notedIn = folder
    isInNew ||= isNew(ctx, folder)
    parent = folder
  }
  return { parent, notedIn }
}

function isNew({ clock }: UserContext, { created_at }: ItemRow): boolean {
  return clock.now() - created_at < NEW_FOR
}

/** Notes that a file or folder was added to a folder, or somewhere below it. */
export function noteAdded({ user, clock }: UserContext, tx: Tx, folder: Place, item: ItemRow): void {
  noteActivity(tx, user, {
    ...{ action: 'added', folderId: folder.id, folderName: folder.name, items: [item], now: clock.now() },
  })
}

/**
 * Rejects an upload before its bytes arrive if a lock prevents it: one of the file that it would replace, or of the folder in which
 * something would be created. The commit makes the final decision.
 */
export async function assertMayWrite(ctx: UserContext, db: Database, to: Destination, filename: string): Promise<void> {
  // Visitors' folders may have other names.
  if (ctx.user.submission) return
  const now = ctx.clock.now()
  if (!(await mayHaveLocks(db, ctx.user.id, now))) return
  let changed = (await openDestination(db, ctx.user, to)).id
  const names = to.onConflict === 'replace' ? [...to.folders, filename] : to.folders
  for (const name of names) {
    const sibling = await findSibling(db, { id: changed }, name)
    if (!sibling) break
    changed = sibling.id
  }
  await assertUnlocked(db, ctx.user, now, [changed])
}

/** Returns whether something can be created in an item: not in a file, nor in a shared folder that is only mounted here. */
function isOwnFolder({ kind, mount_of }: ItemWithHistory): boolean {
  return kind === 'folder' && mount_of === null
}

/** Returns the error for a folder that can't be created. Unlike for a file, another name or a replacement is no way out. */
function folderBlocked({ name }: ItemRow): AppError {
  const { code, message } = nameTaken(name)
  return new AppError(code, `${message} Rename it or the folder that is uploaded, then try again.`)
}

/** Finds the item with a name in a folder. */
export async function findSibling(
  db: Database,
  parent: Pick<Place, 'id'>,
  name: string,
): Promise<ItemWithHistory | undefined> {
  return (await findByName(db, { parentId: parent.id, name })).rows[0]
}

const findByName = prepareQuery((db, value: Value<{ parentId: string; name: string }>) =>
  db
    .selectFrom('items')
    .select(itemColumns)
    .where('parent_id', '=', value('parentId'))
    .where('name', '=', value('name'))
    .where('trashed_at', 'is', null),
)
