import {
  addFavorite as addFavoriteCall,
  listFavorites as listFavoritesCall,
  removeFavorite as removeFavoriteCall,
} from '@alcove/contract/favorites'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { addFavorite } from './add-favorite.ts'
import { listFavorites } from './list-favorites.ts'
import { removeFavorite } from './remove-favorite.ts'

export function favoriteRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, listFavoritesCall, listFavorites)
  bindCall(api, services, addFavoriteCall, addFavorite)
  bindCall(api, services, removeFavoriteCall, removeFavorite)
}
