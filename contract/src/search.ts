import { z } from 'zod'
import { defineCall } from './call.ts'
import { folderIdOrRoot, id } from './fields.ts'
import { sharedBy } from './items.ts'
import { MAX_SEARCH_LENGTH, MAX_SEARCH_RESULTS } from './limits.ts'

export const searchResult = z.object({
  id,
  name: z.string(),
  type: z.enum(['folder', 'file']),
  path: z
    .string()
    .describe("The item's own path, for example `/Photos/2024/a.jpg`. In a shared folder it begins with that folder"),
  folder_id: id
    .nullable()
    .describe('The folder that contains it; null at the root, and for a folder that is shared with the user'),
  sharedBy,
})
export type SearchResult = z.infer<typeof searchResult>

export const searchItems = defineCall({
  method: 'GET',
  path: '/search',
  access: 'user',
  scope: 'read',
  forMembers: 'viewer',
  summary:
    'Find files and folders by any part of their names, ignoring case and accents: in the drive and in folders that others share',
  input: z.object({
    q: z
      .string()
      .max(MAX_SEARCH_LENGTH, `A search can have at most ${MAX_SEARCH_LENGTH} characters.`)
      .default('')
      .describe('Blank text finds nothing'),
    folderId: folderIdOrRoot.describe('Searches only below this folder'),
  }),
  output: z
    .array(searchResult)
    .max(MAX_SEARCH_RESULTS)
    .describe('Best first: names equal to the text, then names that begin with it, then names that contain it'),
})
