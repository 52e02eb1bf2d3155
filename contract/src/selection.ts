import { z } from 'zod'
import { id } from './fields.ts'
import { MAX_SELECTED_ITEMS } from './limits.ts'

const itemIds = z.array(id).max(MAX_SELECTED_ITEMS)

/**
 * Which items a bulk change is about: those named, or everything in a folder but those named. Exactly one of the two.
 * What else a change needs is added by `safeExtend`.
 */
export const selection = z
  .object({
    itemIds: itemIds.min(1).optional(),
    allIn: z
      .object({
        folderId: id.nullable().describe('null is the root'),
        isEncrypted: z.boolean().optional().describe('The root of the vault'),
        exceptIds: itemIds.optional(),
      })
      .optional()
      .describe('Everything in a folder, however much that is'),
  })
  .refine((chosen) => (chosen.itemIds === undefined) !== (chosen.allIn === undefined), {
    error: 'Say which items: either itemIds or allIn.',
  })
export type Selection = z.infer<typeof selection>

/** Items named one by one, for what is not in a folder any more. */
export const namedItems = z.object({ itemIds: itemIds.min(1) })

/** What a bulk change answers. It changes all that it was asked to change, or nothing. */
export const changedItems = z.object({
  message: z.string(),
  count: z.int().nonnegative(),
  itemIds: z.array(id).describe('What was changed, or made, so that it can be undone'),
})
