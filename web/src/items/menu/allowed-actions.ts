import type { Item } from '@alcove/contract/items'
import { suffices } from '@alcove/contract/roles'
import type { ItemActions } from '../item-actions.ts'

const withoutChanges = { rename: undefined, move: undefined, remove: undefined, cut: undefined }

/**
 * Returns the actions that a user may use on these items, in a list that also has items of others: only owners share, and changing
 * needs the role of an editor. Own items and those of others can't be moved, copied or deleted together.
 */
export function allowedActions(items: readonly Item[], actions: ItemActions): ItemActions {
  const shared = items.flatMap(({ sharedBy }) => sharedBy ?? [])
  if (shared.length === 0) return actions
  const open = { ...actions, share: undefined, shareWithPeople: undefined, requestFiles: undefined }
  if (shared.length < items.length) return { ...open, ...withoutChanges, copyTo: undefined, copy: undefined }
  return shared.every(({ role }) => suffices(role, 'editor')) ? open : { ...open, ...withoutChanges }
}
