import {
  addFavorite as addFavoriteCall,
  favoriteItems as favoriteItemsCall,
  listFavorites as listFavoritesCall,
  removeFavorite as removeFavoriteCall,
} from '@alcove/contract/favorites'
import { MAX_SELECTION_BODY } from '@alcove/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { addFavorite } from './add-favorite.ts'
import { favoriteItems } from './favorite-items.ts'
import { listFavorites } from './list-favorites.ts'
import { removeFavorite } from './remove-favorite.ts'

export function favoriteRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, listFavoritesCall, listFavorites)
  bindCall(api, services, addFavoriteCall, addFavorite)
  bindCall(api, services, removeFavoriteCall, removeFavorite)
  bindCall(api, services, favoriteItemsCall, favoriteItems, { bodyLimit: MAX_SELECTION_BODY })
}
