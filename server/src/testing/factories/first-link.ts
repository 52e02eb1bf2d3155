/** Returns the row of an item's first link, enabled long ago. Its token is the id of the item. */
export function firstLink({ id, owner_id }: { id: string; owner_id: string }) {
  return {
    id,
    owner_id,
    item_id: id,
    is_first: 1,
    token: id,
    permission: 'view',
    created_at: 1,
    enabled_at: 1,
  } as const
}
