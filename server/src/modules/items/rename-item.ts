import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { isUniqueViolation } from '../../platform/db/unique-violation.ts'
import { nameTaken } from './insert-item.ts'
import { nameColumns } from './names.ts'

/** Renames an item; throws 'name taken' when a sibling has it. */
export function renameItem(tx: Tx, item: ItemRow, name: string, now: number): Promise<ItemRow> {
  return updateItem(tx, item, { ...nameColumns(name), updated_at: now }, name)
}

/** Puts an item into another folder; throws 'name taken' when there is one of its name. */
export function reparentItem(tx: Tx, item: ItemRow, parentId: string, now: number): Promise<ItemRow> {
  return updateItem(tx, item, { parent_id: parentId, updated_at: now }, item.name)
}

async function updateItem(tx: Tx, item: ItemRow, changes: Partial<ItemRow>, name: string): Promise<ItemRow> {
  try {
    return await tx.updateTable('items').set(changes).where('id', '=', item.id).returningAll().executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(name)
    throw error
  }
}
