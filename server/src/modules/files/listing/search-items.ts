import { calls } from '@alcove/contract/calls'
import { MAX_SEARCH_RESULTS } from '@alcove/contract/limits'
import { foldForSearch } from '@alcove/contract/search-text'
import { endpoint } from '../../../platform/http/api.ts'
import { isInReach, readFolderPaths, withoutRoot } from '../../items/index.ts'
import { findNames } from '../../search/index.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: names contain no control characters
const FORBIDDEN_IN_NAMES = /[\u0000-\u001f\u007f-\u009f/]/

export const searchItems = endpoint(calls.searchItems, async ({ db, user }, { q }) => {
  const text = foldForSearch(q.trim())
  if (text === '' || FORBIDDEN_IN_NAMES.test(text) || !text.isWellFormed()) return []
  const items = await findNames(db, { ownerId: user.id, isInReach: isInReach(user) }, text, MAX_SEARCH_RESULTS)
  const folderIds = new Set(items.map(({ parent_id }) => parent_id as string))
  const paths = await readFolderPaths(db, [...folderIds], user.driveRootId)
  return items.map(({ id, name, kind, parent_id }) => ({
    id,
    name,
    type: kind,
    path: `${paths.get(parent_id as string) ?? ''}/${name}`,
    folder_id: withoutRoot(parent_id, user),
  }))
})
