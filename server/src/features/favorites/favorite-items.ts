import type { favoriteItems as call } from '@alcove/contract/favorites'
import type { Operation } from '../../platform/http/api.ts'
import { assertNoFailures, presentChanged } from '../../tree/bulk-change.ts'
import { changeTree } from '../../tree/change-tree.ts'
import { listChosen } from '../../tree/chosen-items.ts'
import { setFavorite, vaultRefusal } from './mark-item.ts'

export const favoriteItems: Operation<typeof call> = async (ctx, { isFavorite, ...selection }) => {
  const itemIds = await changeTree(ctx, async (tx) => {
    const items = await listChosen(tx, ctx.user, selection)
    const secret = items.filter(({ area }) => area === 'vault')
    assertNoFailures(secret.map(({ id, name }) => ({ itemId: id, name, refusal: vaultRefusal() })))
    const ids = items.map(({ id }) => id)
    await setFavorite(tx, ids, isFavorite, ctx.clock.now())
    return ids
  })
  return presentChanged(itemIds, isFavorite ? 'added to favorites' : 'removed from favorites')
}
