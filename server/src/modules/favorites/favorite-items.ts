import type { favoriteItems as call } from '@alcove/contract/favorites'
import type { Operation } from '../../platform/http/api.ts'
import { assertNoFailures, changeTree, listChosen, presentChanged } from '../items/index.ts'
import { setFavorite, vaultError } from './mark-item.ts'

export const favoriteItems: Operation<typeof call> = async (ctx, { isFavorite, ...selection }) => {
  const itemIds = await changeTree(ctx, async (tx) => {
    const items = await listChosen(tx, ctx.user, selection)
    const secret = items.filter(({ area }) => area === 'vault')
    assertNoFailures(secret.map(({ id, name }) => ({ itemId: id, name, refusal: vaultError() })))
    const ids = items.map(({ id }) => id)
    await setFavorite(tx, ids, isFavorite, ctx.clock.now())
    return ids
  })
  return presentChanged(itemIds, isFavorite ? 'added to favorites' : 'removed from favorites')
}
