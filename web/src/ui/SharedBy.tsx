import type { SharedBy as Sharing } from '@alcove/contract/items'

/** Says who shares an item with the user. */
export function SharedBy({ sharedBy: { email, displayName } }: { readonly sharedBy: Sharing }) {
  return (
    <>
      Shared by <bdi>{displayName ?? email}</bdi>
    </>
  )
}
