import type { removeFavorite as call } from '@alcove/contract/favorites'
import type { Operation } from '../../platform/http/api.ts'
import { markItem } from './mark-item.ts'

export const removeFavorite: Operation<typeof call> = async (ctx, input) => {
  await markItem(ctx, input, false)
  return { message: 'Removed from favorites' }
}
