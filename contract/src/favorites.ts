import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, id } from './fields.ts'
import { item } from './items.ts'
import { changedItems, selection } from './selection.ts'

const itemType = z.enum(['file', 'folder'])
const whichItem = z.object({ itemType, itemId: id })

export const listFavorites = defineCall({
  method: 'GET',
  path: '/favorites',
  access: 'user',
  summary: 'The favorites that are not in the trash, folders first',
  input: z.object({}),
  output: z.array(z.object({ item_type: itemType, item_id: id, item })),
})

export const addFavorite = defineCall({
  method: 'POST',
  path: '/favorite',
  access: 'user',
  summary: 'Mark a file or folder of the drive as a favorite; marking it again changes nothing',
  input: whichItem,
  output: done,
})

export const removeFavorite = defineCall({
  method: 'DELETE',
  path: '/favorite',
  access: 'user',
  summary: 'Take the mark away again; taking it away twice changes nothing',
  input: whichItem,
  output: done,
})

export const favoriteItems = defineCall({
  method: 'POST',
  path: '/items/favorite',
  access: 'user',
  summary: 'Mark many files and folders of the drive as favorites, or take their marks away: all of them or none',
  input: selection.safeExtend({ isFavorite: z.boolean().default(true) }),
  output: changedItems,
})
