import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, id } from './fields.ts'
import { item } from './items.ts'
import { MAX_SELECTION_BODY } from './limits.ts'
import { changedItems, selection } from './selection.ts'

const itemType = z.enum(['file', 'folder'])
const whichItem = z.object({ itemType, itemId: id })

export const listFavorites = defineCall({
  method: 'GET',
  path: '/favorites',
  access: 'user',
  scope: 'read',
  summary: 'List the favorites that are not in the trash, folders first: own items, and items that others share',
  input: z.object({}),
  output: z.array(z.object({ item_type: itemType, item_id: id, item })),
})

export const addFavorite = defineCall({
  method: 'POST',
  path: '/favorite',
  access: 'user',
  scope: 'write',
  forMembers: 'viewer',
  mixesShared: true,
  summary: 'Add a file or folder to the favorites. Repeating it changes nothing',
  input: whichItem,
  output: done,
})

export const removeFavorite = defineCall({
  method: 'DELETE',
  path: '/favorite',
  access: 'user',
  scope: 'write',
  forMembers: 'viewer',
  mixesShared: true,
  summary: 'Remove a file or folder from the favorites. Repeating it changes nothing',
  input: whichItem,
  output: done,
})

export const favoriteItems = defineCall({
  method: 'POST',
  path: '/items/favorite',
  access: 'user',
  scope: 'write',
  forMembers: 'viewer',
  mixesShared: true,
  summary: 'Add many files and folders to the favorites, or remove them: all or none',
  input: selection.safeExtend({ isFavorite: z.boolean().default(true) }),
  output: changedItems,
  bodyLimit: MAX_SELECTION_BODY,
})
