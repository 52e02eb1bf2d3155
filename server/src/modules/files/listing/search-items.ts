import { calls } from '@alcove/contract/calls'
import { MAX_SEARCH_RESULTS } from '@alcove/contract/limits'
import type { SearchResult } from '@alcove/contract/search'
import { foldForSearch } from '@alcove/contract/search-text'
import { sql } from 'kysely'
import type { UserContext } from '../../../context.ts'
import { endpoint } from '../../../platform/http/api.ts'
import {
  findMounts,
  getOwnPlace,
  isBelow,
  isInReach,
  isSharedWith,
  isShown,
  listSharedFolders,
  readFolderPaths,
  readSharedPlaces,
  withoutRoot,
} from '../../items/index.ts'
import { collectNames, collectNamesBelow, RankedItems } from '../../search/index.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: names contain no control characters
const FORBIDDEN_IN_NAMES = /[\u0000-\u001f\u007f-\u009f]/

export const searchItems = endpoint(calls.searchItems, async (ctx, { q, folderId }) => {
  const place = folderId === undefined ? undefined : await getOwnPlace(ctx.db, ctx.user, folderId, 'drive')
  const text = foldForSearch(q.trim())
  if (text === '' || FORBIDDEN_IN_NAMES.test(text) || !text.isWellFormed()) return []
  const found = new RankedItems(text, MAX_SEARCH_RESULTS)
  await (place ? searchFolder(ctx, place.id, text, found) : searchEverywhere(ctx, text, found))
  return presentFound(
    ctx,
    found.list().filter(({ id }) => id !== folderId),
  )
})

async function searchFolder({ db, user }: UserContext, id: string, text: string, found: RankedItems): Promise<void> {
  await collectNamesBelow(db, { folders: [{ id, ownerId: user.id }], isInReach: isBelow(id) }, text, found)
}

/** Searches the user's drive, and what others share with the user. */
async function searchEverywhere({ db, user }: UserContext, text: string, found: RankedItems): Promise<void> {
  const isFound = sql<boolean>`(${isInReach(user)} and ${isShown(user)})`
  await collectNames(db, { ownerId: user.id, isInReach: isFound }, text, found)
  if (!user.hasSharedFolders) return
  const folders = await listSharedFolders(db, user.id)
  await collectNamesBelow(db, { folders, isInReach: isSharedWith(user.id) }, text, found)
}

type Found = ReturnType<RankedItems['list']>

async function presentFound({ db, user }: UserContext, items: Found): Promise<SearchResult[]> {
  // For a member who searches in a shared folder, nothing is the own.
  const viewerId = user.member?.userId ?? user.id
  const own = items.filter(({ owner_id }) => owner_id === viewerId)
  const folderIds = new Set(own.map(({ parent_id }) => parent_id as string))
  const [paths, places, mounts] = await Promise.all([
    readFolderPaths(db, [...folderIds], user.driveRootId),
    readSharedPlaces(
      db,
      viewerId,
      items.filter(({ owner_id }) => owner_id !== viewerId),
    ),
    // A mount is found by its name in the user's own tree. The result opens the shared folder.
    user.hasMounts
      ? findMounts(
          { db, user },
          own.map(({ id }) => id),
        )
      : undefined,
  ])
  return items.flatMap(({ id, name, kind, owner_id, parent_id }): SearchResult[] => {
    if (owner_id === viewerId) {
      const path = `${paths.get(parent_id as string) ?? ''}/${name}`
      return [{ id: mounts?.get(id)?.folderId ?? id, name, type: kind, path, folder_id: withoutRoot(parent_id, user) }]
    }
    const place = places.get(id)
    return place
      ? [{ id, name, type: kind, path: place.path, folder_id: place.parentId, sharedBy: place.sharedBy }]
      : []
  })
}
