import type { addFavorite as call } from '@alcove/contract/favorites'
import type { Operation } from '../../platform/http/api.ts'
import { markItem } from './mark-item.ts'

export const addFavorite: Operation<typeof call> = async (ctx, input) => {
  await markItem(ctx, input, true)
  return { message: 'Added to favorites' }
}
