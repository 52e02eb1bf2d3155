import { z } from 'zod'
import { id } from './fields.ts'
import { MAX_SELECTED_ITEMS } from './limits.ts'

const itemIds = z.array(id).max(MAX_SELECTED_ITEMS)

/**
 * The items of a bulk change: either a list of ids, or everything in a folder except a list of ids.
 * Calls add their own fields with `safeExtend`.
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
      .describe('Everything in a folder, however large'),
  })
  .refine((chosen) => (chosen.itemIds === undefined) !== (chosen.allIn === undefined), {
    error: 'Specify either itemIds or allIn.',
  })
export type Selection = z.infer<typeof selection>

/** A list of ids, for items that are no longer in a folder. */
export const namedItems = z.object({ itemIds: itemIds.min(1) })

/** The response of a bulk change, which changes all items or none. */
export const changedItems = z.object({
  message: z.string(),
  count: z.int().nonnegative(),
  itemIds: z.array(id).describe('The items that were changed or created, for undo'),
})
